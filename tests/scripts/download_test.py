"""scripts/download against a server of this machine."""
import functools
import http.server
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "download"


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path.startswith("/closed"):
            self.send_error(401)
        elif self.path.startswith("/nonsense"):
            self.wfile.write(b"this is no HTTP\r\n\r\n")
        else:
            super().do_GET()

    def log_message(self, *_):
        pass


class Download(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.site, self.here = Path(folder.name) / "site", Path(folder.name) / "here"
        self.site.mkdir()
        self.here.mkdir()
        handler = functools.partial(QuietHandler, directory=self.site)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def run_script(self, name, **environment):
        url = f"http://127.0.0.1:{self.server.server_port}"
        variables = {key: value for key, value in os.environ.items() if not key.startswith("RUBRIC_")}
        variables |= {"RUBRIC_MOCHA_URL": f"{url}/mocha.tar.gz", "RUBRIC_HF_URL": url, "RUBRIC_GITHUB_URL": url,
                      "no_proxy": "*"}
        return subprocess.run([sys.executable, SCRIPT, name], cwd=self.here, env=variables | environment,
                              capture_output=True, text=True, timeout=60)

    def offer_mocha(self, **members):
        with tarfile.open(self.site / "mocha.tar.gz", "w:gz") as tar:
            for name, text in members.items():
                info = tarfile.TarInfo(name.replace("__", "/") + ".json")
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text.encode()))

    def offer_model(self, name, **files):
        folder = self.site / name / "resolve" / "main"
        folder.mkdir(parents=True)
        for file, text in files.items():
            (folder / file.replace("__", ".")).write_text(text)

    def files(self, folder):
        return sorted(str(file.relative_to(self.here / folder)) for file in (self.here / folder).rglob("*")
                      if file.is_file())

    def assert_fails(self, result, *parts, code=1):
        self.assertEqual(result.returncode, code, result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_mocha_goes_into_data(self):
        self.offer_mocha(mocha__train="{}", mocha__dev="[]", other__test="1")
        result = self.run_script("mocha")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.files("data"), ["mocha/dev.json", "mocha/test.json", "mocha/train.json"])
        self.assertEqual((self.here / "data/mocha/dev.json").read_text(), "[]")
        self.assertIn(", without minimal_pairs.json;", result.stdout)

    def test_what_mocha_lacks_is_told(self):
        self.offer_mocha(train="{}", dev="{}", test_no_labels="{}")
        for words in (", without test.json and minimal_pairs.json; from", "already, without test.json and"):
            result = self.run_script("mocha")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(words, result.stdout)
        for name in ("test", "minimal_pairs"):
            (self.here / f"data/mocha/{name}.json").write_text("{}")
        self.assertEqual(self.run_script("mocha").stdout, "MOCHA is in data/mocha already\n")

    def test_mocha_goes_where_rubric_data_says_and_stays(self):
        self.offer_mocha(train="new", dev="new")
        data = self.here / "elsewhere"
        for _ in range(2):
            self.assertEqual(self.run_script("mocha", RUBRIC_DATA=str(data)).returncode, 0)
            self.offer_mocha(train="newer", dev="newer")
        self.assertEqual((data / "mocha/train.json").read_text(), "new")
        self.assertFalse((self.here / "data").exists())

    def test_a_folder_of_the_users_is_left_alone(self):
        self.offer_mocha(train="{}", dev="{}")
        own = self.here / "data/mocha"
        own.mkdir(parents=True)
        (own / "notes.txt").write_text("mine")
        self.assert_fails(self.run_script("mocha"), "data/mocha is there", "RUBRIC_DATA")
        self.assertEqual(self.files("data"), ["mocha/notes.txt"])

    def test_members_of_an_archive_stay_in_its_folder(self):
        self.offer_mocha(**{"..__..__train": "{}", "__dev": "{}"})
        self.assertEqual(self.run_script("mocha").returncode, 0)
        self.assertEqual(self.files("."), ["data/mocha/dev.json", "data/mocha/train.json"])

    def test_a_bad_or_missing_archive_leaves_nothing(self):
        self.assert_fails(self.run_script("mocha"), "is not there")
        (self.site / "mocha.tar.gz").write_text("no archive")
        self.assert_fails(self.run_script("mocha"), "not a usable archive")
        self.offer_mocha(train="{}")
        self.assert_fails(self.run_script("mocha"), "has no dev.json")
        self.assertEqual(self.files("."), [])

    def offer_commit(self, repository, commit, *files):
        for file in files:
            path = self.site / repository / commit / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file)

    def test_chie_goes_into_data_by_language(self):
        systems = ["Meta-Llama-3-8B-Instruct", "Meta-Llama-3.1-8B-Instruct", "llama3-8b-cpt-sea-lionv2-instruct",
                   "SeaLLM-7B-v2", "WangchanLion7B", "openthaigpt-1.0.0-beta-7b-chat-ckpt-hf"]
        files = [f"lang/th/{judge}-100.csv" for judge in ("gpt4", "gpt4o", "gpt3-5", "gemini-pro")]
        for language in ("en", "th", "zh"):
            for system in systems[:3 if language == "th" else 6]:
                files += [f"lang/{language}/result/eval-gpt-4-{system}.csv",
                          f"lang/{language}/result/result-eval-gpt-4-{system}.txt"]
        commit = "7a1b5d0d88236d6862f996757905694875a1b19d"
        self.offer_commit("wannaphong/CHIE", commit, *files[:-1])
        self.assert_fails(self.run_script("chie"), f"{files[-1]} is not there")
        (self.here / "data/chie/th/gpt4-100.csv").write_text("mine")
        self.offer_commit("wannaphong/CHIE", commit, *files)
        result = self.run_script("chie")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.count("fetching"), 1)  # it goes on
        names = [file.removeprefix("lang/").replace("/result/", "/") for file in files]
        self.assertEqual(self.files("data/chie"), sorted(names))
        self.assertEqual((self.here / "data/chie/th/gpt4-100.csv").read_text(), "mine")
        self.assertEqual((self.here / "data/chie" / names[-1]).read_text(), files[-1])

    def test_xquad_goes_into_data(self):
        self.offer_commit("google-deepmind/xquad", "cedcc55082232da0e20da7d12d1149798165a295",
                          *(f"xquad.{language}.json" for language in ("en", "th", "zh", "ro")))
        self.assertEqual(self.run_script("xquad", RUBRIC_DATA="elsewhere").returncode, 0)
        self.assertEqual(self.files("elsewhere"), [f"xquad/xquad.{code}.json" for code in ("en", "th", "zh")])

    def test_a_model_of_one_file(self):
        self.offer_model("org/one", config__json="{}", model__safetensors="w", spiece__model="p",
                         generation_config__json="{}")
        result = self.run_script("org/one")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.files("models/org/one"),
                         ["config.json", "generation_config.json", "model.safetensors", "spiece.model"])

    def test_a_model_of_shards_goes_on_where_it_broke_off(self):
        index = json.dumps({"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors",
                                           "c": "model-1.safetensors"}})
        self.offer_model("sharded", config__json="{}", model__safetensors__index__json=index)
        folder = self.site / "sharded/resolve/main"
        (folder / "model-1.safetensors").write_text("1")
        self.assert_fails(self.run_script("sharded"), "lacks model-2.safetensors")
        self.assertFalse((self.here / "models/sharded/config.json").exists())
        (folder / "model-2.safetensors").write_text("2")
        self.assertEqual(self.run_script("sharded").returncode, 0)
        self.assertEqual(self.files("models/sharded"), ["config.json", "model-1.safetensors",
                                                        "model-2.safetensors", "model.safetensors.index.json"])

    def test_an_index_that_leaves_the_folder_is_refused(self):
        index = json.dumps({"weight_map": {"a": "../../../outside"}})
        self.offer_model("bad", config__json="{}", model__safetensors__index__json=index)
        self.assert_fails(self.run_script("bad"), "names no plain files", "../../../outside")

    def test_a_model_that_is_not_there_leaves_nothing(self):
        for name in ("nobody/nothing", "closed/model"):
            self.assert_fails(self.run_script(name), f'no model "{name}"', "or it is closed")
        self.assert_fails(self.run_script("nonsense/model"), "cannot fetch", "this is no HTTP")
        for name in ("../outside", "/absolute", "a/b/c", ".."):
            self.assert_fails(self.run_script(name), "not the name of a model", code=2)
        self.assertEqual(list(self.here.iterdir()), [])

    def test_empty_folders_of_the_users_stay(self):
        (self.here / "models/closed").mkdir(parents=True)
        self.assert_fails(self.run_script("closed/model"), "or it is closed")
        self.assertEqual(list((self.here / "models").iterdir()), [self.here / "models/closed"])


if __name__ == "__main__":
    unittest.main()
