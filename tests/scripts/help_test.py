"""--help of the programs in scripts/: each prints how it is called, from any folder."""
import os
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = [file for file in sorted((ROOT / "scripts").iterdir()) if file.is_file() and os.access(file, os.X_OK)]


class Help(unittest.TestCase):
    def test_each_script_says_how_it_is_called(self):
        self.assertGreater(len(SCRIPTS), 5)
        for script in SCRIPTS:
            for program, folder in (script, ROOT.parent), (f"./{script.name}", script.parent):
                with self.subTest(program):
                    ended = subprocess.run([program, "--help"], cwd=folder, capture_output=True, text=True, timeout=60)
                    self.assertEqual((ended.returncode, ended.stderr), (0, ""))
                    self.assertIn(f"scripts/{script.name}", ended.stdout)


if __name__ == "__main__":
    unittest.main()
