"""Every InputError of the sources is made with what to do about it."""
import re
import sys
import unittest
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "src"
STRING = re.compile(r'''"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)' ''', re.X)


def arguments(text, begin):
    """Of the call whose first argument begins there, without what is in its own brackets and strings."""
    depth, parts = 1, [""]
    for character in STRING.sub(lambda found: "\"" + "x" * (len(found[0]) > 2) + "\"", text[begin : begin + 4000]):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            return [part.strip() for part in parts]
        if character == "," and depth == 1:
            parts.append("")
        else:
            parts[-1] += character


def without_advice(text):
    """The places of errors without a third argument or with an empty one. What is thrown again has its own."""
    for found in re.finditer(r"\bInputError\((?!const|std::string )", text):
        parts = arguments(text, found.end())
        is_passed_on = '"' not in parts[0] or re.search(r"one_line|what\(\)|join\(problems", parts[0])
        if not is_passed_on and (len(parts) < 3 or parts[2] == '""'):
            yield text.count("\n", 0, found.start()) + 1


class Advice(unittest.TestCase):
    def test_a_call_is_read(self):
        for call, count in (('InputError("what", f(a, b), "do")', 0), ('InputError("w, (h" + at(1, 2), where)', 1),
                            ('InputError("what", "", "")', 1), ("InputError(error.what(), where)", 0)):
            self.assertEqual(len(list(without_advice(call))), count, call)

    def test_every_error_says_what_to_do(self):
        files = [file for file in sorted(SOURCES.rglob("*")) if file.suffix in (".cpp", ".h")]
        self.assertGreater(len(files), 300)
        found = [f"{file.relative_to(SOURCES)}:{line}" for file in files for line in without_advice(file.read_text())]
        self.assertEqual(found, [])


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
