"""Methods of daemark on systems of one's own: daemark.solve()."""

import ctypes
import unittest

import numpy as np

import daemark


def bell(t, y, yp):
    """y' = -2 t y, z = y^2: y = exp(-t^2)."""
    return [yp[0] + 2 * t * y[0], y[1] - y[0] ** 2]


def error(method, points, **options):
    found = daemark.solve(bell, (0, 1), [1, 0.5], [0, 0], method, points=points,
                          differential=[1, 0], **options)
    assert found.status == "ok", found.why
    return abs(found.y[-1, 0] - np.exp(-1))


class SolveTest(unittest.TestCase):
    def test_orders_and_tolerances(self):
        for method, order in (("gauss(2)", 4), ("erk4", 4), ("bdf(2)", 2)):
            slope = np.log2(error(method, 20) / error(method, 40))
            self.assertAlmostEqual(slope, order, delta=0.35, msg=method)
        self.assertLess(error("dormand_prince_5", 1, control=1e-8), 1e-6)

    def test_jacobian(self):
        def jacobian(t, cj, y, yp):
            return [[cj + 2 * t, 0], [-2 * y[0], 1]]
        self.assertLess(error("gauss(3)", 10, jacobian=jacobian), 1e-8)

    def test_output_points(self):
        found = daemark.solve(bell, (0, 1), [1, 0.5], [0, 0], "gauss(3)", points=4,
                              differential=[1, 0])
        np.testing.assert_allclose(found.t, [0, 0.25, 0.5, 0.75, 1])
        self.assertAlmostEqual(found.y[0, 1], 1, places=12)  # made consistent
        np.testing.assert_allclose(found.y[:, 0], np.exp(-found.t ** 2), atol=1e-6)
        np.testing.assert_allclose(found.yp[:, 0], -2 * found.t * found.y[:, 0], atol=1e-12)
        self.assertEqual(found.counts["steps"], 4)

    def test_a_mechanism_given_as_a_residual(self):
        for formulation, index in (("index1", 1), ("index2", 2), ("index3", 3)):
            p = daemark.Problem("pendulum", formulation)
            t, y, yp = p.initial()
            found = daemark.solve(p.residual, (t, 1), y, yp, "radau_iia(3)", points=50, index=index,
                                  differential=p.kinds()[0])
            self.assertEqual(found.status, "ok")
            np.testing.assert_allclose(found.y[-1, : p.n_q], p.reference(1).q, atol=1e-6)

    def test_a_residual_in_c(self):
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, *4 * [ctypes.c_void_p])

        @kind
        def decay(t, y, yp, r, user):
            at = [ctypes.c_double.from_address(x) for x in (y, yp, r)]
            at[2].value = at[1].value + at[0].value
            return 0
        address = ctypes.cast(decay, ctypes.c_void_p).value
        found = daemark.solve(address, (0, 1), [1], [0], "gauss(3)", points=10, index=0)
        self.assertAlmostEqual(found.y[-1, 0], np.exp(-1), places=9)

    def test_what_the_residual_raises_ends_the_work(self):
        def interrupted(t, y, yp):
            if t > 0.5:
                raise KeyboardInterrupt
            return yp - 1
        with self.assertRaises(KeyboardInterrupt):
            daemark.solve(interrupted, (0, 1), [0.0], [1.0], "erk4", points=10, index=0)

        def not_there(t, y, yp):
            if t > 0.5:
                raise ZeroDivisionError
            return yp - 1
        found = daemark.solve(not_there, (0, 1), [0.0], [1.0], "gauss(2)", points=4, index=0)
        self.assertEqual(found.status, "not_finite")
        self.assertIn("in the step from t = 0.5", found.why)
        self.assertEqual(len(found.t), 3)

    def test_refusals(self):
        for method, says in (("gaus(2)", "did you mean"), ("newmark", "method newmark")):
            with self.assertRaisesRegex(daemark.BadInput, says):
                daemark.solve(bell, (0, 1), [1, 1], [0, 0], method, points=1)
        with self.assertRaisesRegex(daemark.BadInput, "different sizes"):
            daemark.solve(bell, (0, 1), [1, 1], [0], "gauss(2)", points=1)


if __name__ == "__main__":
    unittest.main()
