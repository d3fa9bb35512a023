"""scripts/launch/local with shell scripts for ranks."""
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "launch" / "local"


class Local(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = Path(folder.name)

    def start(self, ranks, script):
        program = self.here / "program"
        program.write_text("#!/bin/bash\n" + script)
        program.chmod(0o755)
        return subprocess.Popen([SCRIPT, str(ranks), program, "an argument"], cwd=self.here, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run_ranks(self, ranks, script):
        process = self.start(ranks, script)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def wait_for(self, *names):
        while not all((self.here / name).exists() for name in names):
            time.sleep(0.01)

    def test_ranks_get_torchruns_variables(self):
        code, out, err = self.run_ranks(
            3, 'echo "$RANK/$LOCAL_RANK of $WORLD_SIZE at $MASTER_ADDR:$MASTER_PORT, $1" >$RANK\n'
               '[ $RANK != 0 ] || echo main\necho rank $RANK >&2')
        self.assertEqual((code, out, err), (0, "main\n", "rank 0\n"))
        lines = [(self.here / str(rank)).read_text() for rank in range(3)]
        port = lines[0].split(":")[1].split(",")[0]
        self.assertGreater(int(port), 1024)
        for rank in range(3):
            self.assertEqual(lines[rank], f"{rank}/{rank} of 3 at 127.0.0.1:{port}, an argument\n")

    def test_a_failure_gives_its_status_and_shows_the_other_ranks(self):
        code, out, err = self.run_ranks(2, "echo of $RANK >&2; [ $RANK = 0 ] || exit 2; sleep 0.5; exit 1")
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(err, "of 0\nrank 1 (exit status 2):\nof 1\n")

    def test_a_killed_rank_brings_the_others_down(self):
        begin = time.monotonic()
        code, _, _ = self.run_ranks(2, "trap '' TERM; [ $RANK = 0 ] || kill -9 $$; exec sleep 600")
        self.assertEqual(code, 128 + signal.SIGKILL)
        self.assertLess(time.monotonic() - begin, 60)

    def test_signals_go_to_every_rank_once(self):
        for number, name in ((signal.SIGTERM, "TERM"), (signal.SIGINT, "INT")):
            process = self.start(2, f"trap 'echo got >>{name}$RANK; exit 75' {name}; >{name}ready$RANK\n"
                                    "while :; do sleep 0.01; done")
            self.wait_for(f"{name}ready0", f"{name}ready1")
            process.send_signal(number)
            _, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, err), (75, ""))
            for rank in range(2):
                self.assertEqual((self.here / f"{name}{rank}").read_text(), "got\n")

    def test_a_signal_while_ranks_are_started_reaches_all(self):
        code, _, _ = self.run_ranks(8, "trap 'exit 75' TERM; [ $RANK != 0 ] || kill -TERM $PPID\n"
                                       "while :; do sleep 0.01; done")
        self.assertIn(code, (75, 128 + signal.SIGTERM))  # a rank may have no trap yet

    def test_ranks_do_not_outlive_the_terminal(self):
        for number in (signal.SIGHUP, signal.SIGQUIT):
            # A background job, which the tests may be, may ignore them.
            self.addCleanup(signal.signal, number, signal.signal(number, signal.SIG_DFL))
            process = self.start(2, f"trap 'exit 75' TERM; >ready{int(number)}$RANK\n"
                                    "while :; do sleep 0.01; done")
            self.wait_for(f"ready{int(number)}0", f"ready{int(number)}1")
            process.send_signal(number)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, 75)

    def test_ranks_are_asked_to_end_when_the_launcher_is_killed(self):
        process = self.start(2, "trap '>asked$RANK; exit 75' TERM; >ready$RANK\nwhile :; do sleep 0.01; done")
        self.wait_for("ready0", "ready1")
        process.kill()
        process.communicate(timeout=60)  # until no rank holds our pipes
        self.assertTrue((self.here / "asked0").exists())
        self.wait_for("asked1")

    def test_help_says_how_to_call_it(self):
        ended = subprocess.run([SCRIPT, "--help"], capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertIn("scripts/launch/local N train", ended.stdout)

    def test_what_cannot_be_started_is_refused(self):
        for arguments in ([], ["2"], ["0", "true"], ["two", "true"], ["2", "no-such-program"]):
            ended = subprocess.run([SCRIPT, *arguments], capture_output=True, text=True)
            self.assertEqual(ended.returncode, 2, arguments)
            self.assertTrue(ended.stderr.startswith("error: "), ended.stderr)


if __name__ == "__main__":
    unittest.main()
