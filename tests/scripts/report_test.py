"""Reports in a browser: Chromium without a window, spoken to through a pipe by the DevTools protocol."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(os.environ.get("RUBRIC_BIN", ROOT / "build" / "bin"))
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
HOSTILE = "</script><script>alert(1)</script>\u2028<img src=x onerror=alert(2)> & \"it's\""


class Browser:
    """One page; messages are JSON, ended by a zero byte: written to descriptor 3, read from 4."""

    def __init__(self, folder):
        to_read, self.commands = os.pipe()
        self.answers, to_write = os.pipe()

        def place_pipes():
            low, high = os.dup(to_read), os.dup(to_write)  # neither is 3 or 4 any more when both are set
            os.dup2(low, 3)
            os.dup2(high, 4)

        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"],
            preexec_fn=place_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.count, self.rest, self.session, self.events = 0, b"", None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.rest += part
        first, self.rest = self.rest.split(b"\0", 1)
        return json.loads(first)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, file, width=1200, dark=False, height=900, script=True):
        self.events.clear()
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.media("screen", dark)
        self.call("Page.navigate", url=Path(file).as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())

    def media(self, kind, dark=False):
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=kind, features=[scheme])

    def run(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text="\r" if key == "Enter" and kind == "keyDown" else "")

    def complaints(self):
        """What the console, the policy and failed scripts have said, and what was asked of the network."""
        self.run("0")  # whatever was said before has come
        found = []
        for event in self.events:
            method = event.get("method")
            if method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
                found.append(event["params"])
            elif method == "Network.requestWillBeSent" and not event["params"]["request"]["url"].startswith("file:"):
                found.append(event["params"]["request"]["url"])
            elif method == "Page.javascriptDialogOpening":
                found.append(event["params"])
        return found

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)


def rows():
    """Thirty systems that answer the same questions, with labels and scores of them."""
    for question in range(20):
        for system in range(30):
            label = 5 if (question * 7 + system * 3) % 10 < 3 + system // 8 else 1
            noise = (question * 13 + system * 5) % 17 / 17
            yield {"id": str(question), "constituent": f"system {system}", "question": f"which {question}? {HOSTILE}",
                   "reference": ["a", HOSTILE], "candidate": HOSTILE, "score": label,
                   "scores": {"f1": round(label / 10 + noise / 2, 3), "em": int(label == 5 and noise > 0.3),
                              "recall": round(noise, 3)}}


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        scored = cls.folder / "scored.jsonl"
        scored.write_text("".join(json.dumps(row) + "\n" for row in rows()))
        cls.report, cls.gaps = cls.folder / "report.html", cls.folder / "gaps.html"
        cls.rubric("evaluate", "agreement", "--input", scored, "--human", "score", "--group", "constituent",
                   "--system", "constituent", "--resamples", "100", "--report", cls.report)
        cls.rubric("evaluate", "gaps", "--input", scored, "--human", "score", "--metric", "f1", "--group", "constituent",
                   "--scale", "score=1:5", "--output", cls.folder / "gaps.csv", "--report", cls.gaps)
        cls.browser = Browser(cls.folder / "profile")
        cls.addClassCleanup(cls.browser.close)

    @staticmethod
    def rubric(*arguments):
        return subprocess.run([PROGRAMS / "rubric", *map(str, arguments)], check=True, capture_output=True, text=True).stdout

    def open(self, file=None, **how):
        self.browser.open(file or self.report, **how)

    def run_script(self, expression):
        return self.browser.run(expression)

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])

    def column(self, title, column):
        """The first words of a column's cells in the table below `title`."""
        return self.run_script(f"""[...[...document.querySelectorAll('.title')]
            .find(each => each.textContent.startsWith({title!r})).nextElementSibling.querySelectorAll('tbody tr')]
            .map(row => row.cells[{column}].textContent.split(' ')[0])""")

    def click_on(self, find):
        """A click of the mouse on the middle of the element that the expression finds."""
        x, y = self.run_script(f"""(() => {{ const element = {find};
            element.scrollIntoView({{block: 'center'}});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
        self.browser.click(x, y)

    def header(self, title, column):
        return f"""[...document.querySelectorAll('.title')].find(each => each.textContent.startsWith({title!r}))
            .nextElementSibling.querySelectorAll('th button')[{column}]"""

    def test_a_click_on_a_header_sorts(self):
        self.open()
        title = "Agreement with"
        before = self.column(title, 0)
        self.click_on(self.header(title, 0))
        self.assertEqual(self.column(title, 0), sorted(before))
        self.click_on(self.header(title, 1))  # numbers: the largest first
        values = [float(text) for text in self.column(title, 1)]
        self.assertEqual(values, sorted(values, reverse=True))
        sorts = self.run_script("[...document.querySelectorAll('table')[0].tHead.rows[0].cells].map(th => th.ariaSort)")
        self.assertEqual(sorts, ["none", "descending"] + 4 * ["none"])
        self.run_script(self.header(title, 1) + ".focus()")
        self.browser.press("Enter")
        self.assertEqual([float(text) for text in self.column(title, 1)], sorted(values))
        self.browser.press("Enter")
        self.assertEqual(self.column(title, 0), before)

    def test_blanks_come_last(self):
        self.open()
        self.run_script("document.querySelector('details').open = true")
        cells = """[...document.querySelectorAll('details tbody')[0].rows].map(row => row.cells[2].textContent)"""
        half = len(self.run_script(cells)) // 2  # of two rows of a group one is below the diagonal
        for _ in range(2):
            self.click_on("document.querySelectorAll('details th button')[2]")
            self.assertEqual([text == "" for text in self.run_script(cells)], half * [False] + half * [True])

    def test_intervals_and_points_say_what_they_are(self):
        self.open()
        titles = self.run_script("[...document.querySelectorAll('td.interval')].map(cell => cell.title)")
        self.assertGreater(len(titles), 10)
        for title in titles:
            self.assertRegex(title, r"^.+: -?\d\.\d+ \[-?\d\.\d+, -?\d\.\d+\], n = (600|20|30)$")
        drawn = self.run_script("""[...document.querySelectorAll('td.interval .bar .interval')]
            .map(line => line.getBoundingClientRect().width)""")
        self.assertEqual(len(drawn), len(titles))
        for title, width in zip(titles, drawn):
            low, high = re.search(r"\[(.+), (.+)\]", title).groups()
            self.assertEqual(width > 0, low != high, title)  # of a point the tick alone is seen
        points = self.run_script("[...document.querySelectorAll('.point')].map(p => p.querySelector('title').textContent)")
        self.assertIn("f1, system 0: ", " ".join(points))
        self.assertTrue(all(points))

    def test_a_laptop_shows_whole_tables_and_pairs_of_pictures(self):
        self.open(width=1280)
        cut = """[...document.querySelectorAll('.table')].filter(table => table.scrollWidth > table.clientWidth + 1).length"""
        self.assertEqual(self.run_script(cut), 0)
        broken = """[...document.querySelectorAll('.wide td.left')].filter(cell => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return /^\\w+$/.test(cell.textContent) && range.getClientRects().length > 1; }).length"""
        self.assertEqual(self.run_script(broken), 0)
        tops = self.run_script("[...document.querySelectorAll('figure')].map(each => each.getBoundingClientRect().top)")
        self.assertEqual(tops[0], tops[1])

    def test_a_table_that_goes_on_has_a_shadow(self):
        self.open(width=700)
        wide = self.run_script("""[...document.querySelectorAll('.table')].filter(table => table.scrollWidth > table.clientWidth)
            .map(table => getComputedStyle(table).backgroundAttachment)""")
        self.assertEqual(set(wide), {"local, scroll"})

    def test_pictures_are_saved_as_svg(self):
        self.open(dark=True)
        self.run_script("""URL.createObjectURL = blob => { new Response(blob).text().then(text => { window.saved = text; }); return '#'; };
            HTMLAnchorElement.prototype.click = function() { window.file = this.download; };
            document.querySelector('figcaption button').click()""")
        while not (text := self.run_script("window.saved")):
            time.sleep(0.05)
        picture = ElementTree.fromstring(text)
        name = "{http://www.w3.org/2000/svg}"
        self.assertEqual((picture.tag, picture.get("width")), (name + "svg", "420"))
        style = picture.find(name + "style").text
        self.assertIn(".mark", style)
        self.assertNotIn("@media", style)
        self.assertRegex(self.run_script("window.file"), r"^\w[\w-]+\.svg$")

    def test_a_click_on_a_point_shows_its_rows(self):
        self.open()
        self.assertFalse(self.run_script("document.querySelector('.panel').checkVisibility()"))
        self.click_on("document.querySelectorAll('figure')[1].querySelector('.circles .point .mark')")
        self.assertTrue(self.run_script("document.querySelector('.panel').checkVisibility()"))
        title = self.run_script("document.querySelector('.panel .title').textContent")
        self.assertEqual(title, self.run_script("document.querySelector('.point.chosen title').textContent"))
        count = int(title.split(": ")[1].split()[0])
        shown = self.run_script("document.querySelectorAll('.panel tbody tr').length")
        note = self.run_script("document.querySelector('.panel .note')?.textContent ?? ''")
        self.assertGreater(shown, 0)
        self.assertEqual(note, "" if shown == count else f"{shown} rows, and {count - shown} more in the file")
        texts = self.run_script("[...document.querySelector('.panel tbody tr').cells].map(cell => cell.textContent)")
        self.assertEqual(self.run_script("[...document.querySelectorAll('.panel th')].map(th => th.textContent)"),
                         ["id", "constituent", "question", "reference", "candidate", "human label", "f1", "em", "recall"])
        self.assertEqual(texts[2], f"which {texts[0]}? {HOSTILE}")
        self.assertEqual(texts[4], HOSTILE)
        self.browser.press("Escape")
        self.assertFalse(self.run_script("document.querySelector('.panel').checkVisibility()"))

    def test_points_answer_to_keys(self):
        self.open()
        self.run_script("document.querySelectorAll('figure')[1].querySelector('.point[tabindex=\"0\"]').focus()")
        self.browser.press("ArrowRight")
        self.browser.press("Enter")
        self.assertEqual(self.run_script("""[...document.querySelectorAll('figure')[1].querySelectorAll('.point')]
            .findIndex(point => point.classList.contains('chosen'))"""), 1)

    def test_headers_stay_in_view(self):
        self.open(height=600)
        tops = self.run_script("""(() => {
            const frame = [...document.querySelectorAll('.table')].find(each => each.scrollHeight > each.clientHeight);
            frame.scrollTop = 400;
            const top = element => element.getBoundingClientRect().top - frame.getBoundingClientRect().top;
            return [top(frame.querySelector('th')), top(frame.querySelector('td'))]; })()""")
        self.assertLess(abs(tops[0]), 2)
        self.assertLess(tops[1], -300)

    def test_tables_of_p_are_folded_but_in_print(self):
        self.open()
        folded = "[...document.querySelectorAll('details td')].filter(cell => cell.checkVisibility({contentVisibilityAuto: true})).length"
        self.assertGreater(self.run_script("document.querySelectorAll('details td').length"), 0)
        self.assertEqual(self.run_script(folded), 0)
        self.run_script("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.run_script("document.querySelectorAll('details:not([open])').length"), 0)
        self.run_script("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.run_script("document.querySelectorAll('details[open]').length"), 0)
        self.browser.media("print", dark=True)
        heights = self.run_script("[...document.querySelectorAll('details td')].map(cell => cell.getBoundingClientRect().height)")
        self.assertGreater(min(heights), 5)
        self.assertEqual(self.run_script("getComputedStyle(document.documentElement).backgroundColor"), "rgb(255, 255, 255)")
        hidden = self.run_script("""[...document.querySelectorAll('.table')]
            .filter(box => ['auto', 'scroll', 'hidden'].includes(getComputedStyle(box).overflowY)).length""")
        self.assertEqual(hidden, 0)

    def test_no_page_scrolls_sideways(self):
        for file in (self.report, self.gaps):
            for width in (390, 800, 1200):
                with self.subTest(file=file.name, width=width):
                    self.open(file, width=width)
                    self.assertLessEqual(self.run_script("document.documentElement.scrollWidth"), width)
                    if file == self.report:
                        self.run_script("document.querySelectorAll('.point')[3].dispatchEvent(new Event('click'))")
                        self.assertLessEqual(self.run_script("document.documentElement.scrollWidth"), width)
                        panel = "document.querySelector('.panel')"
                        self.assertLessEqual(self.run_script(f"{panel}.scrollWidth - {panel}.clientWidth") if width < 600 else 0, 0)

    def test_dark_follows_the_reader(self):
        self.open(dark=True)
        light = "(c => Math.max(...c.match(/\\d+/g).map(Number)))(getComputedStyle(%s).%s)"
        self.assertLess(self.run_script(light % ("document.documentElement", "backgroundColor")), 60)
        self.assertGreater(self.run_script(light % ("document.querySelector('svg .label')", "fill")), 200)

    def test_pages_are_readable_without_script(self):
        self.open(script=False)
        self.assertGreater(self.run_script("document.querySelectorAll('td').length"), 0)
        self.assertEqual(self.run_script("document.querySelectorAll('button').length"), 0)
        self.assertEqual(self.run_script("document.querySelectorAll('.panel').length"), 0)

    def test_records_are_sorted_too(self):
        self.open(self.gaps)
        table = "document.querySelectorAll('table')[1]"
        gaps = f"[...{table}.tBodies[0].rows].map(row => Number(row.cells[7].textContent))"
        before = self.run_script(gaps)
        self.click_on(f"{table}.querySelectorAll('th button')[7]")
        after = self.run_script(gaps)
        self.assertEqual(len(before), 300)  # ten of each system
        self.assertEqual(sorted(after), sorted(before))
        self.assertEqual(after, sorted(before, reverse=after[0] > after[-1]))

    def test_a_sheet_is_filled_in_kept_and_saved(self):
        page, saved = self.folder / "sheet.html", self.folder / "sheet.csv"
        self.rubric("choose", "--input", self.folder / "scored.jsonl", "--budget", "60", "--output", page)
        self.browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(self.folder))
        self.open(page)
        for label in "101":
            self.browser.call("Input.insertText", text=label)
            self.browser.press("Enter")
        self.open(page)
        inputs = "[...document.querySelectorAll('.sheet input')]"
        self.assertEqual(self.run_script(inputs + ".slice(0, 4).map(input => input.value)"), ["1", "0", "1", ""])
        self.assertEqual(self.run_script("document.querySelector('.save .note').textContent"), " 3 of 60 filled in")
        place = self.run_script("document.querySelector('.save button').getBoundingClientRect().bottom")
        self.assertLess(place, 900)  # in view without scrolling
        for labels, told in ((["maybe", "maybe"], "maybe"), (["skip", "Maybe"], "Maybe"), (["skip", "N/A"], ""),
                             (["Yes", "incorrect"], ""), (["yes", "5"], "yes"), (["5", "?"], "")):
            self.run_script(inputs + f""".slice(3, 5).forEach((input, i) => {{
                input.value = {labels}[i]; input.dispatchEvent(new Event('input')); }})""")
            note = " 5 of 60 filled in" + (told and f"; no numbers, as other labels are: {told}")
            self.assertEqual(self.run_script("document.querySelector('.save .note').textContent"), note, labels)
        self.run_script(inputs + """.forEach((input, i) => {
            input.value = i % 3 ? 'yes' : 'no'; input.dispatchEvent(new Event('input')); })""")
        self.run_script("document.querySelector('.save button').click()")
        for _ in range(100):
            if saved.exists() and saved.stat().st_size > 0:
                break
            time.sleep(0.1)
        told = self.rubric("estimate", "--all", self.folder / "scored.jsonl", "--labels", saved, "--human", "verdict",
                           "--probability", "probability", "--strata", "stratum")
        self.assertIn("60 of them labelled", told)

    def test_a_report_is_one_file_of_limited_size(self):
        self.assertLess(self.report.stat().st_size, 1_500_000)


if __name__ == "__main__":
    if CHROMIUM is None:
        print("skipped: chromium is not installed (apt-get install chromium)")
        sys.exit(77)
    if not (PROGRAMS / "rubric").exists():
        print(f"skipped: no rubric in {PROGRAMS}")
        sys.exit(77)
    unittest.main()
