"""train on two ranks with a network namespace each, joined by a pair of veth: as two hosts with a cable."""
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRAIN = ROOT / "build" / "bin" / "train"
LONGEST = 240  # seconds until a run that should have ended counts as hung


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


def reason_to_skip():
    """Why this machine cannot have the two hosts; empty when it can."""
    name = f"rubric-{os.getpid()}"
    try:
        ip("netns", "add", name)
        ip("netns", "delete", name)
    except FileNotFoundError:
        return "there is no ip (iproute2)"
    except subprocess.CalledProcessError as error:
        return f"no network namespaces here: {error.stderr.strip()}"
    return "" if (ROOT / "build" / "lib" / "librubric-neural.so").exists() else "train is not built"


class Hosts:
    """Two namespaces, 10.77.0.1 and 10.77.0.2 on the ends of one cable."""

    def __init__(self):
        self.names = [f"rubric-{os.getpid()}-{i}" for i in range(2)]
        for name in self.names:
            ip("netns", "add", name)
        ends = [["name", "cable", "netns", name] for name in self.names]
        ip("link", "add", *ends[0], "type", "veth", "peer", *ends[1])
        for i, name in enumerate(self.names):
            ip("-n", name, "address", "add", f"10.77.0.{i + 1}/24", "dev", "cable")
            ip("-n", name, "link", "set", "lo", "up")
        self.set_cable("up")

    def set_cable(self, state):
        for name in self.names:
            ip("-n", name, "link", "set", "cable", state)

    def start(self, arguments):
        """A rank on each host; a port of the first host is free, as nothing else runs there."""
        ranks = []
        for rank, name in enumerate(self.names):
            variables = {"RANK": str(rank), "WORLD_SIZE": "2", "LOCAL_RANK": "0", "MASTER_ADDR": "10.77.0.1",
                         "MASTER_PORT": "29500", "GLOO_SOCKET_IFNAME": "cable"}
            ranks.append(subprocess.Popen(
                ["ip", "netns", "exec", name, TRAIN, *arguments], cwd=ROOT, env=os.environ | variables,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        return ranks

    def close(self):
        for name in self.names:
            ip("netns", "delete", name)


def outcome_of(run):
    """What must be the same however often the run was interrupted."""
    events = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    for event in events:
        event.pop("seconds", None)
        event.pop("tokens_per_second", None)
    files = [*(run / "model").iterdir(), *(run / "predictions").iterdir()]
    return {"log": events} | {str(file.relative_to(run)): file.read_bytes() for file in files}


class TwoHosts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = Path(folder.name)
        self.hosts = Hosts()
        self.addCleanup(self.hosts.close)

    def start(self, run):
        arguments = ["--config", "sample_lerc.yaml", "--set", "data.hold_out=[drop]", "--output", str(self.here / run)]
        for value in (f"model.name={ROOT}/tests/fixtures/lerc", f"data.store={self.here}/token_store",
                      "data.max_length=64", "data.inputs=[candidate]", "threads=1", "batches.size=16",
                      "run.epochs=20", "run.checkpoint_every=10", "run.timeout=5"):
            arguments += ["--set", value]
        ranks = self.hosts.start(arguments)
        for rank in ranks:
            self.addCleanup(rank.communicate)
            self.addCleanup(rank.kill)
        return ranks

    def wait(self, ranks):
        """The exit status and the messages of each rank."""
        ended = []
        for rank in ranks:
            _, errors = rank.communicate(timeout=LONGEST)
            ended.append((rank.returncode, errors))
        return ended

    def finish(self, run):
        for status, errors in self.wait(self.start(run)):
            self.assertEqual(status, 0, errors)
        return outcome_of(self.here / run)

    def wait_for_updates(self, ranks, run, count):
        log = self.here / run / "log.jsonl"
        while not log.exists() or log.read_text().count("\n") < count:
            self.assertEqual([rank.poll() for rank in ranks], [None, None])
            time.sleep(0.005)

    def test_a_cut_cable_ends_both_and_the_same_command_goes_on(self):
        expected = self.finish("whole")
        ranks = self.start("cut")
        self.wait_for_updates(ranks, "cut", 25)
        self.hosts.set_cable("down")
        cut = time.monotonic()
        for rank, (status, errors) in enumerate(self.wait(ranks)):
            self.assertEqual(status, 1, errors)
            self.assertIn(f"rank {1 - rank}", errors)
            print(f"rank {rank}, {time.monotonic() - cut:.1f} s after the cut: {errors.strip().splitlines()}")
        self.hosts.set_cable("up")
        self.assertFalse((self.here / "cut" / "results.json").exists())
        self.assertEqual(self.finish("cut"), expected)


if __name__ == "__main__":
    why = reason_to_skip()
    if why:
        print(f"two_hosts_test: skipped, {why}")
        sys.exit(77)  # what CTest calls skipped
    unittest.main()
