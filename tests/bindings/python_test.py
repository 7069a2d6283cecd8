"""The Python package as it is installed: PYTHONPATH=PREFIX/lib/python3/dist-packages."""

import gc
import os
import tempfile
import timeit
import unittest

import numpy as np

import daemark


class PythonTest(unittest.TestCase):
    def test_residual_vanishes_at_the_start_and_equals_its_pieces(self):
        p = daemark.Problem("two_link", "index3")
        t, y, yp = p.initial()
        n = p.n_q
        self.assertLess(np.abs(p.residual(t, y, yp)).max(), 1e-10)
        rng = np.random.default_rng(1)
        y, yp = rng.normal(size=p.n_y), rng.normal(size=p.n_y)
        M, f, Phi, G, _ = p.mechanics(t, y[:n], y[n : 2 * n])
        own = np.concatenate((yp[:n] - y[n : 2 * n], M @ yp[n : 2 * n] + G.T @ y[2 * n :] - f, Phi))
        np.testing.assert_allclose(p.residual(t, y, yp), own, atol=1e-11)

    def test_jacobian(self):
        p = daemark.Problem("andrews_squeezer", "index2")
        t, y, yp = p.initial()
        cj, step, rng = 2.0, 1e-6, np.random.default_rng(2)
        d = rng.normal(size=p.n_y)
        difference = p.residual(t, y + step * d, yp + step * cj * d) - p.residual(
            t, y - step * d, yp - step * cj * d)
        J = p.jacobian(t, cj, y, yp).dense()
        np.testing.assert_allclose(difference / (2 * step), J @ d, rtol=1e-5,
                                   atol=1e-5 * np.abs(J).max())

    def test_accelerations_energy_constraints(self):
        p = daemark.Problem("two_link", "index1")
        t, y, yp = p.initial()
        q, v = y[: p.n_q], y[p.n_q : 2 * p.n_q]
        a, lam = p.accelerations(t, q, v)
        np.testing.assert_allclose(a, yp[p.n_q : 2 * p.n_q], rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(lam, y[2 * p.n_q :], rtol=1e-10, atol=1e-10)
        for level in p.constraints(t, q, v, a):
            self.assertLess(np.abs(level).max(), 1e-10)
        kinetic, potential = p.energy(t, q, v)
        M = p.mechanics(t, q, v).M
        self.assertAlmostEqual(kinetic, v @ M @ v / 2, 12)
        self.assertTrue(np.isfinite(potential))

    def test_names_kinds_reference(self):
        p = daemark.Problem("pendulum", "index3")
        self.assertEqual(p.names[:4], ["x", "y", "v_x", "v_y"])
        self.assertEqual(p.units[:4], ["m", "m", "m/s", "m/s"])
        differential, index = p.kinds()
        self.assertEqual(differential.tolist(), [1, 1, 1, 1, 0])
        self.assertEqual(index.tolist(), [1, 1, 2, 2, 3])
        self.assertIsNone(daemark.Problem("two_link").reference(1.0625))
        closed = daemark.Problem("oscillator").reference(0.5)
        self.assertGreater(closed.digits, 40)
        self.assertEqual(len(p.digest), 32)

    def test_refusals_are_exceptions(self):
        with self.assertRaisesRegex(daemark.BadInput, "did you mean 'two_link'"):
            daemark.Problem("two_lnk")
        p = daemark.Problem("two_link")
        t, y, yp = p.initial()
        with self.assertRaisesRegex(daemark.BadInput, "another size"):
            p.residual(t, y[:-1], yp)
        y[0] = np.nan
        with self.assertRaisesRegex(daemark.BadInput, "not a number"):
            p.residual(t, y, yp)
        with self.assertRaises(TypeError):
            p.residual(t, None, yp)
        with self.assertRaises(daemark.BadInput):
            daemark.tableau("bdf(2)")

    def test_methods_and_tableau(self):
        self.assertIn("erk4", [method["id"] for method in daemark.methods()])
        erk4 = daemark.tableau("erk4")
        np.testing.assert_array_equal(erk4.b, [1 / 6, 1 / 3, 1 / 3, 1 / 6])
        self.assertEqual(erk4.exact["b"], ["1/6", "1/3", "1/3", "1/6"])
        gauss = daemark.tableau("gauss(2)")
        self.assertAlmostEqual(gauss.A[0, 1], 0.25 - np.sqrt(3) / 6, 15)  # which itself rounds

    def test_score(self):
        p = daemark.Problem("oscillator")
        t = np.linspace(0, 1, 11)
        states = np.array([np.concatenate(p.reference(s)[:2]) for s in t]).T
        motion = {"t": t, **dict(zip(p.names, states))}
        exact = daemark.score(motion, "oscillator", cost={"evaluations": 7})
        self.assertEqual(exact["rows"], 11)
        self.assertEqual(exact["cost"], {"evaluations": 7})
        self.assertLess(exact["measures"]["energy_error_max"], 1e-12)
        motion[p.names[0]] = motion[p.names[0]] + 1e-7 * t
        self.assertAlmostEqual(daemark.score(motion, "oscillator")["times"][-1]["errors"]["error_q"],
                               1e-7, 13)
        with self.assertRaisesRegex(daemark.BadInput, "increase"):
            daemark.score({**motion, "t": -t}, "oscillator")

    def test_thousand_problems(self):
        for _ in range(1000):
            daemark.Problem("pendulum").initial()
        gc.collect()

    def test_overhead(self):
        p = daemark.Problem("pendulum", "index3")
        t, y, yp = p.initial()
        raw = lambda: p._residual(p._handle, t, p._at_y, p._at_yp, p._at_r)
        runs, repeats = 20000, 7
        own = min(timeit.repeat(lambda: p.residual(t, y, yp), number=runs, repeat=repeats)) / runs
        call = min(timeit.repeat(raw, number=runs, repeat=repeats)) / runs
        print(f"residual of pendulum: {own * 1e6:.2f} us in Python, {call * 1e6:.2f} us by ctypes alone")
        self.assertLess(own, 1e-4)  # timings are for people; this one cannot be noise


if __name__ == "__main__":
    unittest.main(argv=["python_test.py"])
