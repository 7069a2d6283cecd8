#!/usr/bin/env python3
"""cluster_test.py slurm|parallel PROGRAM TREE: shards on several workers, merged.

slurm: scripts/slurm/submit on a Slurm of its own on the loopback, two nodes of one core, one of
them killed in mid-array. parallel: GNU Parallel, one worker killed and started again. Either way
what is merged is byte for byte what one machine writes. Exit status 77, with the reason, where the
packages are not installed or Slurm's daemons may not be started.
"""

import filecmp
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PROGRAM, TREE = os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
SELECTION = ["li2019/table2", "fernandez2021/orders"]
SHARDS = 6
PATIENCE = 300  # s, for everything that is waited for


def skip(why):
    print(f"not tested: {why}")
    sys.exit(77)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_until(what, done):
    end = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > end:
            raise SystemExit(f"waited {PATIENCE} s in vain for {what}")
        time.sleep(0.2)


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.processes = {}
        self.socket = f"{folder}/munge.socket"
        key = f"{folder}/munge.key"
        with open(key, "wb") as out:
            out.write(os.urandom(128))
        os.chmod(key, 0o400)
        self.start("munged", "munged", "--foreground", "--force", f"--socket={self.socket}",
                   f"--key-file={key}", f"--pid-file={folder}/munged.pid",
                   f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed")
        host = socket.gethostname().split(".")[0]
        control, first, second = free_port(), free_port(), free_port()
        with open(f"{folder}/slurm.conf", "w") as out:
            out.write(f"""ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={self.socket}
SlurmctldPort={control}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=30
JobRequeue=1
SchedulerParameters=batch_sched_delay=0,sched_interval=1
NodeName=one NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=1 RealMemory=4000
NodeName=two NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=1 RealMemory=4000
PartitionName=all Nodes=one,two Default=YES MaxTime=INFINITE State=UP
""")
        os.environ["SLURM_CONF"] = f"{folder}/slurm.conf"
        wait_until("munge", lambda: os.path.exists(self.socket))
        self.start("slurmctld", "slurmctld", "-D")
        for node in ("one", "two"):
            self.start_node(node)
        wait_until("the nodes", lambda: self.states() == {"one": "idle", "two": "idle"})

    def start(self, name, *words):
        log = open(f"{self.folder}/{name}.out", "ab")
        self.processes[name] = subprocess.Popen(words, stdout=log, stderr=log,
                                                start_new_session=True)

    def start_node(self, node):
        self.start(node, "slurmd", "-D", "-N", node)

    def states(self):
        done = subprocess.run(["sinfo", "-hNo", "%N %t"], capture_output=True, text=True)
        return dict(line.split() for line in done.stdout.splitlines())

    def queue(self):
        done = subprocess.run(["squeue", "-ho", "%A %j %t %N"], capture_output=True, text=True)
        return [line.split() for line in done.stdout.splitlines()]

    def kill_node(self, node):
        """As if its power failed: the daemon, and all it has started."""
        self.processes[node].kill()
        self.processes.pop(node).wait()
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                environment = open(f"/proc/{pid}/environ", "rb").read().split(b"\0")
                command = open(f"/proc/{pid}/cmdline", "rb").read()
            except OSError:
                continue
            mine = f"SLURM_CONF={self.folder}/slurm.conf".encode() in environment
            if mine and (f"SLURMD_NODENAME={node}".encode() in environment
                         or (b"slurmstepd" in command and self.on_node(pid, node))):
                os.kill(int(pid), signal.SIGKILL)
        run("scontrol", "update", f"nodename={node}", "state=down", "reason=killed")

    def on_node(self, pid, node):
        try:  # a slurmstepd has its node's log or spool folder open
            links = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
        except OSError:
            return False
        return any(f"-{node}" in link for link in links)

    def end(self):
        subprocess.run(["scancel", "-u", "root"], capture_output=True)
        for name in reversed(list(self.processes)):
            self.processes[name].terminate()
        for process in self.processes.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def files_of(results):
    found = {}
    for folder, names, files in os.walk(results):
        names[:] = [name for name in names if not name.startswith(".")]
        for name in files:
            path = os.path.join(folder, name)
            if not name.startswith("."):
                found[os.path.relpath(path, results)] = path
    return found


def compare(folder, what):
    one, other = files_of(f"{folder}/alone"), files_of(f"{folder}/shared")
    different = sorted(set(one) ^ set(other)) + [
        name for name in set(one) & set(other)
        if not filecmp.cmp(one[name], other[name], shallow=False)]
    if different or not one:
        raise SystemExit(f"not as one machine writes it: {different}")
    print(f"{len(one)} files as one machine writes them, {what}")


def slurm(folder):
    for part in ("state", "spool-one", "spool-two"):
        os.mkdir(f"{folder}/{part}")
    cluster = Cluster(folder)
    try:
        shared = {**os.environ, "DAEMARK_RESULTS": f"{folder}/shared", "DAEMARK": PROGRAM}
        told = run(f"{TREE}/scripts/slurm/submit", str(SHARDS), *SELECTION, cwd=TREE, env=shared)
        shards = told.split()[-1]

        def running_on(node):
            return [job for job in cluster.queue() if job[2:] == ["R", node]]

        wait_until("a shard on node two", lambda: running_on("two"))
        hit = running_on("two")
        cluster.kill_node("two")
        wait_until("the loss to be seen", lambda: cluster.states().get("two", "").startswith("down"))
        cluster.start_node("two")

        def back():  # by itself, or when told
            if not cluster.states().get("two", "down").startswith("down"):
                return True
            subprocess.run(["scontrol", "update", "nodename=two", "state=resume"],
                           capture_output=True, env=os.environ, check=False)
            return False

        wait_until("node two to come back", back)
        wait_until("the end of all jobs", lambda: not cluster.queue())
        merged = open(f"{shards}/merge.log").read()
        if "taken" not in merged:
            raise SystemExit(f"not merged:\n{merged}")
        compare(folder, f"after node two was killed with {len(hit)} shards at work")
    finally:
        cluster.end()


def parallel(folder):
    shared = {**os.environ, "DAEMARK_RESULTS": f"{folder}/shared"}
    plan = f"{folder}/plan.json"
    with open(plan, "w") as out:
        out.write(run(PROGRAM, "plan", "--shards", str(SHARDS), *SELECTION, cwd=TREE, env=shared))
    words = ["parallel", "--will-cite", "-j2", PROGRAM, "run-shard", "--jobs", "1", "{}", plan,
             "--into", f"{folder}/shards/{{}}", ":::", *map(str, range(1, SHARDS + 1))]
    first = subprocess.Popen(words, cwd=TREE, env=shared, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, start_new_session=True)
    wait_until("a shard at work", lambda: os.path.exists(f"{folder}/shards"))
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    left = SHARDS - sum(os.path.exists(f"{folder}/shards/{k}/shard.json")
                        for k in range(1, SHARDS + 1))
    run(*words, cwd=TREE, env=shared)
    run(PROGRAM, "merge", f"{folder}/shards", cwd=TREE, env=shared)
    compare(folder, f"after all workers were killed with {left} shards not finished")


def main():
    needed = {"slurm": ("sbatch", "slurmctld", "slurmd", "munged"), "parallel": ("parallel",)}
    os.environ["PATH"] += ":/usr/sbin"
    for tool in needed[sys.argv[1]]:
        if not shutil.which(tool):
            skip(f"{tool} is not installed")
    if sys.argv[1] == "slurm" and os.geteuid() != 0:
        skip("Slurm's daemons are started by root only")
    folder = tempfile.mkdtemp(prefix="daemark_cluster_")
    try:
        run(PROGRAM, "reproduce", *SELECTION, cwd=TREE,
            env={**os.environ, "DAEMARK_RESULTS": f"{folder}/alone"})
        {"slurm": slurm, "parallel": parallel}[sys.argv[1]](folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
