"""The package runs methods: daemark.run, converge, compare, reference, verify, results."""

import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

import numpy as np

import daemark

class StudiesTest(unittest.TestCase):
    def test_a_run_ends_at_the_reference(self):
        run = daemark.run("two_link", "gauss(3)", "index2", h="1/200", t_end=1, errors=True)
        reference = daemark.Problem("two_link").reference(1.0)
        self.assertEqual((run.status, len(run.t), run.q.shape), ("ok", 201, (201, 6)))
        np.testing.assert_allclose(run.q[-1], reference.q, atol=1e-8)
        error = np.linalg.norm(run.q[-1] - reference.q)
        self.assertAlmostEqual(run.measures["error_q"], error, delta=1e-13)
        np.testing.assert_array_equal(run.q[-1], np.array(run.end["q"], float))
        self.assertEqual(run.units["x1"], "m")
        self.assertEqual(run.lambda_names[0], "lambda_joint1_x")
        self.assertEqual(run.counts["steps"], 200)

    def test_steps_are_numbers_fractions_and_expressions(self):
        ends = [daemark.run("pendulum", "erk4", h=h, t_end=1).q[-1]
                for h in (0.01, "1/100", Fraction(1, 100))]
        np.testing.assert_array_equal(ends[0], ends[1])
        np.testing.assert_array_equal(ends[0], ends[2])
        run = daemark.run("pendulum", "dormand_prince_5", h="1/10", t_end=1, control=1e-8, every=5)
        np.testing.assert_allclose(run.t, [0, 0.5, 1])
        self.assertGreaterEqual(run.counts["rejected_steps"], 0)

    def test_failures_are_results_and_bad_input_is_raised(self):
        run = daemark.run("slider_crank", "gauss(3)", "index1", h="1/10", t_end=10,
                          settings={"newton.max": 1})
        self.assertEqual(run.status, "newton_diverged")
        self.assertIn("in the step from t =", run.why)
        self.assertLess(run.t[-1], 10)
        for options, says in ((dict(problem="two_lnk"), "did you mean 'two_link'"),
                              (dict(h=0.3), "does not divide"), (dict(method="gaus(3)"), "gauss")):
            with self.assertRaisesRegex(daemark.BadInput, says) as raised:
                daemark.run(**{**dict(problem="two_link", method="gauss(3)", h=0.1, t_end=1), **options})
            self.assertNotIn("\n", str(raised.exception))

    def test_ones_own_start_and_events(self):
        first = daemark.run("pendulum", "gauss(3)", h="1/100", t_end="1/2")
        init = {"q": first.end["q"], "v": first.end["v"]}
        run = daemark.run("pendulum", "gauss(3)", h="1/100", t_end="1/2", init=init, project=True)
        np.testing.assert_allclose(run.q[0], first.q[-1], atol=1e-12)
        run = daemark.run("pendulum", "gauss(3)", h="1/100", t_end=2, until=["x=0:falling"])
        self.assertAlmostEqual(float(run.events[0]["t"]), 0.833356916601770585, delta=1e-9)

    def test_converge(self):
        study = daemark.converge("two_link", "gauss(2)", "index1", h=["1/160", "1/320", "1/640"],
                                 t_end=1, precision="auto")
        self.assertAlmostEqual(study.slope_q, 4, delta=0.2)
        self.assertEqual(study.error_q.shape, (3,))
        self.assertIn("slopes q", study.table())
        by_tol = daemark.converge("pendulum", "dormand_prince_5", tol=[1e-4, 1e-6], h=1, t_end=1)
        self.assertLess(by_tol.error_q[1], by_tol.error_q[0])
        with self.assertRaisesRegex(daemark.BadInput, "one of each"):
            daemark.converge("pendulum", "gauss(2)", "index1,index3", h=["1/20", "1/40"], t_end=1)

    def test_compare(self):
        found = daemark.compare("heun_2", problem="pendulum", formulation=["index1"])
        mine = found.of("heun_2")
        self.assertEqual(len(mine["method"]), 1)
        self.assertEqual(mine["status"][0], "ok")
        self.assertAlmostEqual(mine["slope q"][0], 2, delta=0.5)
        self.assertGreater(len(found), 20)  # the catalogue
        self.assertIn("heun_2", found.table("method", "error q"))

    def test_reference_at_any_time(self):
        stored, computed = daemark.reference("pendulum", 1, "1/3", digits=20)
        np.testing.assert_allclose(stored.q, daemark.Problem("pendulum").reference(1).q, atol=1e-15)
        self.assertGreaterEqual(computed.digits, 20)
        self.assertGreater(len(computed.exact["q"][0]), 20)

    def test_verify(self):
        proof, = daemark.verify("gauss(2)")
        self.assertEqual((proof.order, proof.A_stable, proof.L_stable), (4, True, False))
        with tempfile.TemporaryDirectory() as folder:
            wrong = Path(folder) / "wrong.json"
            wrong.write_text('{"id": "wrong", "kind": "runge_kutta", "summary": "x", "A": [["0"]],'
                             ' "b": ["1"], "c": ["0"], "claims": {"order": 2}}')
            proof, = daemark.verify(str(wrong))
            self.assertEqual(proof.order, 1)
            self.assertIn("order", " ".join(proof.failures))

    def test_accept(self):
        sound = daemark.accept("erk4", "index1", only=["order"])
        self.assertTrue(sound.accepted, sound.failures)
        with tempfile.TemporaryDirectory() as folder:
            wrong = Path(folder) / "late.json"
            wrong.write_text('{"id": "late", "kind": "runge_kutta", "summary": "x",'
                             ' "A": [["0", "0"], ["1/2", "0"]], "b": ["0", "1"],'
                             ' "c": ["0", "1"], "claims": {"order": 2}}')
            found = daemark.accept("late", "index1", only=["order", "time"], tableau=wrong)
        self.assertEqual(list(found.failures), ["time"])
        self.assertIn("stage times", found.failures["time"])

    def test_a_function_is_a_method(self):
        def midpoint(problem, h, times, late=False):
            n, y = problem.n_q, problem.initial()[1]
            rows = [y.copy()]

            def rate(t, x):
                return np.concatenate([x[n:], problem.accelerations(t, x[:n], x[n:])[0]])
            for t, after in zip(times, times[1:]):
                for k in range(round((after - t) / h)):
                    now, x = t + k * h, y[:2 * n]
                    half = x + h / 2 * rate(now, x)
                    y[:2 * n] = x + h * rate(now if late else now + h / 2, half)
                y[2 * n:] = problem.accelerations(after, y[:n], y[n:2 * n])[1]
                rows.append(y.copy())
            return rows

        def fails(problem, h, times):
            raise ValueError("no such thing")

        with daemark.as_program(midpoint) as method:
            study = daemark.converge("two_link", method, "index1",
                                     h=["1/200", "1/400", "1/800"], t_end=1)
            self.assertAlmostEqual(study.slope_q, 2, delta=0.1)
        with daemark.as_program(fails) as method:
            run = daemark.run("two_link", method, "index1", h="1/10", t_end=1)
            self.assertEqual(run.status, "failed")
            self.assertIn("ValueError: no such thing", run.why)
        wrong = daemark.accept(lambda *a: midpoint(*a, late=True), order=2, only=["order", "time"])
        self.assertEqual(list(wrong.failures), ["time"])

    def test_results(self):
        catalogue = daemark.results("catalogue.json")
        self.assertTrue(catalogue)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "t.csv"
            file.write_text("row,x\na,1\nb,\n")
            columns = daemark.results(file)
            self.assertEqual(list(columns["row"]), ["a", "b"])
            self.assertTrue(np.isnan(columns["x"][1]))
        with self.assertRaisesRegex(daemark.BadInput, "is not there"):
            daemark.results("no/such.csv")


if __name__ == "__main__":
    unittest.main()
