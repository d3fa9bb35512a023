"""train on more ranks than there are cores: to the end, in bounded memory, with the losses of one rank."""
import json
import os
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Bytes of a rank alone, shared libraries apart. Training takes about 128 MiB; at its end rank 0 scores the
# dev rows by lerc-answers, too, whose weights are 90 MiB.
MOST_MEMORY = 384 << 20


def limit():
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])


class ManyRanks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = Path(folder.name)

    def losses_on(self, size):
        run = self.here / f"run{size}"
        command = [ROOT / "scripts" / "launch" / "local", str(size), "train", "--output", run,
                   "--config", "sample_lerc.yaml", "--set", "data.hold_out=[drop]"]
        for value in (f"model.name={ROOT}/tests/fixtures/lerc", f"data.store={self.here}/token_store",
                      "data.max_length=64", "data.inputs=[candidate]", "threads=1", "batches.size=16",
                      "run.epochs=5", "optimizer.learning_rate=1e-4"):
            command += ["--set", value]
        ended = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, preexec_fn=limit)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        events = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
        return [event.get("loss", event.get("value")) for event in events]

    def test_eight_on_two_cores(self):
        expected = self.losses_on(1)
        self.assertEqual(len(expected), 5 * 16 + 5)
        for loss, expected_loss in zip(self.losses_on(8), expected, strict=True):
            self.assertAlmostEqual(loss, expected_loss, delta=1e-5)


if __name__ == "__main__":
    if not (ROOT / "build" / "lib" / "librubric-neural.so").exists():
        print("many_ranks_test: skipped, train is not built")
        sys.exit(77)  # what CTest calls skipped
    unittest.main()
