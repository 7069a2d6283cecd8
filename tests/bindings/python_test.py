"""The Python package as it is installed: PYTHONPATH=PREFIX/lib/python3/dist-packages."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import timeit
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import daemark
from daemark._library import near


def swing(intervals):
    """The exact motion of the oscillator over 1 s."""
    t = np.linspace(0, 1, intervals + 1)
    q, v = np.array([np.concatenate(daemark.Problem("oscillator").reference(s)[:2]) for s in t]).T
    return {"t": t, "q": q, "v_q": v}


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
        change = daemark.Problem("two_link").sensitivity("m2", 0.25)
        self.assertGreater(change.digits, 30)
        self.assertTrue(np.all(np.isfinite(change.lambda_)) and np.any(change.q))
        with self.assertRaises(daemark.BadInput):
            daemark.Problem("two_link").sensitivity("m3", 0.25)
        closed = daemark.Problem("oscillator").reference(0.5)
        self.assertGreater(closed.digits, 40)
        self.assertEqual(len(p.digest), 32)
        self.assertIn("erk4", [method["id"] for method in daemark.methods()])

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

    def test_score(self):
        motion = swing(10)
        t = motion["t"]
        exact = daemark.score(motion, "oscillator", cost={"evaluations": 7})
        self.assertEqual(exact["rows"], 11)
        self.assertEqual(exact["cost"], {"evaluations": 7})
        self.assertLess(exact["measures"]["energy_error_max"], 1e-12)
        motion["q"] = motion["q"] + 1e-7 * t
        self.assertAlmostEqual(daemark.score(motion, "oscillator")["times"][-1]["errors"]["error_q"],
                               1e-7, 13)
        with self.assertRaisesRegex(daemark.BadInput, "decrease"):
            daemark.score({**motion, "t": -t}, "oscillator")

    def test_score_of_several_has_slopes(self):
        # q errs by h^2 and v by h^3 of its rate: with the exact states of the oscillator at hand the
        # slopes between halved steps are 2 and 3, but for what is rounded of 1e-3 * (1/40)^3.
        motions = [swing(rows) for rows in (10, 20, 40)]
        for rows, motion in zip((10, 20, 40), motions):
            motion["q"] = motion["q"] + motion["t"] / rows**2
            motion["v_q"] = motion["v_q"] + motion["t"] / rows**3
        for h in ((), ("1/10", "1/20", "1/40"), (0.1, 0.05, 0.025)):
            shown = daemark.score(motions, "oscillator", h=h)
            orders = shown["orders"]["errors"]
            np.testing.assert_allclose(orders["error_q"]["slopes"], [2, 2], atol=1e-6)
            np.testing.assert_allclose(orders["error_v"]["slopes"], [3, 3], atol=1e-6)
        with self.assertRaises(daemark.BadInput):
            daemark.score(motions, "oscillator", h=("1/10",))

    def test_exact_coefficients_have_the_values_they_round_to(self):
        self.assertEqual(daemark.tableau("erk4").exact["b"], ["1/6", "1/3", "1/3", "1/6"])
        self.assertEqual(daemark.tableau("gauss(3)").exact["A"][0][1], "2/9-1/15*sqrt(15)")
        for method in ("gauss(3)", "gauss(5)", "radau_iia(3)", "lobatto_iiia(4)", "erk4"):
            tableau = daemark.tableau(method)
            for name, values in (("b", tableau.b), ("c", tableau.c), ("A", tableau.A.ravel())):
                texts = np.ravel(tableau.exact[name])
                exact = [eval(text, {"sqrt": np.sqrt}) for text in texts]
                # Terms of size 1, each rounded: a few units of 1.1e-16.
                np.testing.assert_allclose(values, exact, rtol=0, atol=1e-15, err_msg=method)

    def test_orders_between_output_points(self):
        # The runs are the same but for their output points: halving H divides the errors by 2^6
        # and 2^5.
        for problem, formulation, t_end, every in (("driven_pendulum", "index2", 4, 160),
                                                   ("two_link", "minimal", "1/2", 10)):
            fine, *coarse = (daemark.run(problem, "gauss(5)", formulation, h="1/400", t_end=t_end,
                                         every=k) for k in (1, every, every // 2))
            errors = [[np.abs(x - y).max() for x, y in zip(run.at(fine.t)[:2], (fine.q, fine.v))]
                      for run in coarse]
            orders = np.log2(np.array(errors[0]) / errors[1])
            self.assertAlmostEqual(orders[0], 6, delta=0.5, msg=problem)
            self.assertAlmostEqual(orders[1], 5, delta=0.5, msg=problem)

    def test_interpolated_states_meet_references(self):
        # 1/2 is the middle of an interval of H = 0.04: H^6/46080 of the sixth derivative of q.
        run = daemark.run("pendulum", "gauss(4)", h="1/200", t_end="51/100", every=8)
        reference, = daemark.reference("pendulum", "1/2", digits=15)
        q, v, lambda_ = run.at(0.5)
        for own, exact, tolerance in ((q, reference.q, 1e-9), (v, reference.v, 1e-7),
                                      (lambda_, reference.lambda_, 1e-5)):
            np.testing.assert_allclose(own, exact, rtol=0, atol=tolerance)
        self.assertEqual([x.shape for x in run.at([[0.1, 0.2], [0.3, 0.4]])],
                         [(2, 2, 2), (2, 2, 2), (2, 2, 1)])
        self.assertEqual(run.at([])[0].shape, (0, 2))
        for bad in (0.6, -0.1, float("nan")):
            with self.assertRaisesRegex(daemark.BadInput, "times from 0 to 0.51"):
                run.at(bad)
        with self.assertRaisesRegex(daemark.BadInput, "more output points"):
            daemark.run("heavy_top", "gauss(2)", h="1/100", t_end="1/50").at(0.005)
        failed = daemark.run("slider_crank", "gauss(3)", h="1/10", t_end=1,
                             settings={"newton.max": 1, "newton.rescue": "off"})
        self.assertEqual(len(failed.t), 1)
        with self.assertRaisesRegex(daemark.BadInput, "one output point"):
            failed.at(0)

    def test_files_of_mechanisms(self):
        file = next(path for root in near("share/daemark/problems", "problems")
                    for path in root.glob("files/examples/crank_slider.json"))
        of_file, = daemark.reference(str(file), "1/10", digits=12)
        self.assertGreaterEqual(of_file.digits, 12)
        run = daemark.run(str(file), "gauss(4)", h="1/1000", t_end="1/10")
        np.testing.assert_allclose(run.q[-1], of_file.q, atol=1e-9)
        run = daemark.run(file, "gauss(3)", h="1/100", t_end="1/10", until=[])
        self.assertEqual(run.at(0.05)[0].shape, (daemark.Problem(file).n_q,))
        motion = {"t": run.t, **{name: run.columns[name] for name in run.q_names + run.v_names}}
        self.assertEqual(daemark.score(motion, file)["rows"], 11)
        with tempfile.TemporaryDirectory() as folder:
            for content, says in ((None, "no such file"), ("{", "syntax error"), ("[]", "an array"),
                                  ("{}", '"id" is missing')):
                bad = Path(folder) / "bad.json"
                if content is not None:
                    bad.write_text(content)
                with self.assertRaisesRegex(daemark.BadInput, says):
                    daemark.run(bad, "erk4", h="1/10", t_end=1)

    def test_options_take_one_or_several(self):
        for until in ("x=0:falling", ["x=0:falling", "x=5"]):
            run = daemark.run("pendulum", "gauss(3)", h="1/100", t_end=2, until=until)
            self.assertEqual((run.status, run.events[0]["event"]), ("ok", "x=0:falling"))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "mine.json"
            shown = daemark.tableau("gauss(2)").exact
            file.write_text(json.dumps({"id": "mine", "kind": "runge_kutta", "summary": "Gauss",
                                        **{part: shown[part] for part in "Abc"}}))
            mine = daemark.run("pendulum", "mine", h="1/10", t_end=1, tableau=file)
            own = daemark.run("pendulum", "gauss(2)", h="1/10", t_end=1)
            # Both solve the same stages with newton.tol = 1e-10.
            np.testing.assert_allclose(mine.q[-1], own.q[-1], atol=1e-8)
            proofs = daemark.verify("gauss(2)", file)
            self.assertEqual([proof.order for proof in proofs], [4, 4])
            self.assertEqual(len(proofs.table().splitlines()), 3)

    def test_rows_of_a_method(self):
        names = ["gauss(s=2)", "gauss(s=2) with control \u2020", "erk4", "erk4_other"]
        table = daemark.Comparison({"method": np.array(names)}, "")
        self.assertEqual([len(table.of(x)["method"]) for x in ("gauss", "gauss(s=2)", "erk4")],
                         [2, 2, 1])
        with self.assertRaisesRegex(daemark.BadInput, r"accepted: gauss\(s=2\)"):
            table.of("gauss(2)")

    def test_where_results_are_looked_for(self):
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            for place, value in (("named", 1), ("results", 2)):
                file = Path(folder) / place / "study" / "table.csv"
                file.parent.mkdir(parents=True)
                file.write_text(f"x,name\n{value},a\n\n")
            os.chdir(folder)
            try:
                self.assertEqual(daemark.results("study/table.csv")["x"].tolist(), [2])
                with mock.patch.dict(os.environ, DAEMARK_RESULTS=f"{folder}/named"):
                    self.assertEqual(daemark.results("study/table.csv")["x"].tolist(), [1])
                self.assertEqual(daemark.results(f"{folder}/named/study/table.csv")["name"], ["a"])
            finally:
                os.chdir(here)

    def test_an_interrupt_ends_the_program_too(self):
        code = "import daemark; daemark.run('heavy_top', 'gauss(2)', h='1/1000000', t_end=1)"
        for interrupt in (os.kill, os.killpg):  # Python alone; both, as a terminal does
            child = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE,
                                     start_new_session=True)
            children, deadline = Path(f"/proc/{child.pid}/task/{child.pid}/children"), time.time() + 20
            while not (started := children.read_text().split()) and time.time() < deadline:
                time.sleep(0.05)
            self.assertEqual(len(started), 1)
            time.sleep(0.3)
            interrupt(child.pid, signal.SIGINT)
            self.assertIn(b"KeyboardInterrupt", child.communicate(timeout=20)[1])
            self.assertFalse(Path(f"/proc/{started[0]}").exists())

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
