"""scripts/launch/, with shell scripts for ranks and for the launchers of others."""
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAUNCH = ROOT / "scripts" / "launch"
SCRIPT = LAUNCH / "local"


class Folder(unittest.TestCase):
    """A folder for each test, first in $PATH, with programs that are shell scripts."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = Path(folder.name)

    def make_program(self, name, script):
        program = self.here / name
        program.write_text("#!/bin/bash\n" + script)
        program.chmod(0o755)
        return program

    def run_script(self, name, *arguments, **variables):
        environment = os.environ | {"PATH": f"{self.here}:{os.environ['PATH']}"} | variables
        return subprocess.run([LAUNCH / name, *arguments], cwd=self.here, env=environment, text=True,
                              capture_output=True, timeout=60)


class Local(Folder):
    def start(self, ranks, script):
        return subprocess.Popen([SCRIPT, str(ranks), self.make_program("program", script), "an argument"],
                                cwd=self.here, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

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

    def test_a_rank_that_had_to_be_killed_is_shown_as_such(self):
        _, _, err = self.run_ranks(2, "[ $RANK = 0 ] && exit 1; trap '' TERM; sleep 600")
        self.assertEqual(err, "rank 1 (exit status 137, killed by scripts/launch/local as it did not end):\n")

    def test_processes_that_it_did_not_start_are_not_its_own(self):
        program = self.make_program("program", "sleep 1; exit 3")
        ended = subprocess.run(["bash", "-c", f"sleep 0.1 & exec {SCRIPT} 2 {program}"], cwd=self.here,
                               text=True, capture_output=True, timeout=60)
        self.assertEqual(ended.returncode, 3, ended.stderr)

    def test_a_suspended_run_rests_and_goes_on(self):
        process = self.start(2, "while [ ! -e end ]; do echo $((i += 1)) >beat$RANK; sleep 0.01; done")
        self.wait_for("beat0", "beat1")
        process.send_signal(signal.SIGTSTP)
        os.waitpid(process.pid, os.WUNTRACED)
        time.sleep(0.1)
        beats = [(self.here / f"beat{rank}").read_text() for rank in range(2)]
        time.sleep(0.3)
        self.assertEqual([(self.here / f"beat{rank}").read_text() for rank in range(2)], beats)
        process.send_signal(signal.SIGCONT)
        (self.here / "end").touch()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)

    def test_help_says_how_to_call_it(self):
        ended = subprocess.run([SCRIPT, "--help"], capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertIn("scripts/launch/local N train", ended.stdout)

    def test_what_cannot_be_started_is_refused(self):
        for arguments in ([], ["2"], ["0", "true"], ["two", "true"], ["2", "no-such-program"]):
            ended = subprocess.run([SCRIPT, *arguments], capture_output=True, text=True)
            self.assertEqual(ended.returncode, 2, arguments)
            self.assertTrue(ended.stderr.startswith("error: "), ended.stderr)


class Slurm(Folder):
    def job(self, status, **variables):
        """The script as a job whose ranks end with `status`; what it printed, and what it ran."""
        self.make_program("srun", 'echo "srun $OMP_NUM_THREADS $SRUN_CPUS_PER_TASK: $*" >>calls\n'
                                  f"exit {status}")
        self.make_program("scontrol", 'echo "scontrol $*" >>calls')
        (self.here / "calls").write_text("")
        ended = self.run_script("slurm", "train", "--config", "a file", SLURM_JOB_ID="17", OMP_NUM_THREADS="",
                                **variables)
        return ended, (self.here / "calls").read_text()

    def test_a_job_that_stopped_is_queued_again(self):
        ended, calls = self.job(75)
        self.assertEqual((ended.returncode, ended.stderr), (75, ""))
        self.assertIn("job 17 is queued again", ended.stdout)
        self.assertEqual(calls, "srun 1 1: --kill-on-bad-exit=0 --wait=60 train --config a file\nscontrol requeue 17\n")

    def test_a_job_that_is_done_or_failed_is_not(self):
        for status in (0, 1, 2, 137):
            ended, calls = self.job(status)
            self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (status, "", ""))
            self.assertEqual(calls, "srun 1 1: --kill-on-bad-exit=0 --wait=60 train --config a file\n")

    def test_a_rank_has_the_cores_of_its_task(self):
        self.assertEqual(self.job(0, SLURM_CPUS_PER_TASK="8")[1], "srun 8 8: --kill-on-bad-exit=0 --wait=60 train --config a file\n")

    def test_the_programs_of_the_build_go_first(self):
        (self.here / "build" / "bin").mkdir(parents=True)
        self.make_program("build/bin/train", "")
        self.assertEqual(self.job(0)[1], "srun 1 1: --kill-on-bad-exit=0 --wait=60 build/bin/train --config a file\n")

    def test_outside_a_job_it_says_how_to_call_it(self):
        for job, command in (("", ["train"]), ("17", [])):
            ended = self.run_script("slurm", *command, SLURM_JOB_ID=job)
            self.assertEqual((ended.returncode, ended.stdout), (2, ""))
            self.assertIn("sbatch OPTIONS scripts/launch/slurm COMMAND", ended.stderr)


class Torchrun(Folder):
    def test_its_options_are_torchruns(self):
        self.make_program("torchrun", 'printf "%s\\n" "$@"')
        ended = self.run_script("torchrun", "2", "4", "node1:29400", "./train", "--config", "a file")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertEqual(ended.stdout.splitlines(), [
            "--no-python", "--nnodes", "2", "--nproc-per-node", "4", "--rdzv-backend", "c10d",
            "--rdzv-endpoint", "node1:29400", "--rdzv-id", "rubric", "./train", "--config", "a file"])

    def test_without_a_command_it_says_how_to_call_it(self):
        self.assertEqual(self.run_script("torchrun", "2", "4", "node1").returncode, 2)


class Apptainer(unittest.TestCase):
    def test_the_recipe_copies_what_is_there(self):
        recipe = (LAUNCH / "apptainer.def").read_text()
        files = re.search(r"%files\n(.*?)\n\n", recipe, re.DOTALL)[1]
        for line in files.splitlines():
            source, target = line.split()
            self.assertTrue((ROOT / source).exists(), source)
            self.assertEqual(target, f"/opt/rubric/{source}")
        for script in re.findall(r"^    (scripts/\w+)", recipe, re.MULTILINE):
            self.assertTrue((ROOT / script).exists(), script)


if __name__ == "__main__":
    unittest.main()
