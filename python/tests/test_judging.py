"""rubric.judge at an endpoint of the test's own, and how it stops."""

from __future__ import annotations

import csv
import json
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import rubric

ROWS = [{"id": str(i), "passage": "They gave up 308 points.", "question": "How many?",
         "reference": "308", "candidate": f"answer {i}", "system": "mine"} for i in range(6)]


@contextmanager
def endpoint(answers: int) -> Iterator[tuple[str, list[str], threading.Event]]:
    """Its URL, what it was asked, and an event when it leaves a request without an answer.

    It answers so many requests.
    """
    asked: list[str] = []
    stalled, over = threading.Event(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(body["messages"][-1]["content"])
            if len(asked) > answers:
                stalled.set()
                over.wait()
                return
            reply = {"choices": [{"message": {"role": "assistant", "content":
                                              "1. Agree\n2. Disagree\n3. Disagree\n4. Agree"},
                                  "finish_reason": "stop"}],
                     "usage": {"prompt_tokens": 9, "completion_tokens": 3}}
            text = json.dumps(reply).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked, stalled
    finally:
        over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def test_it_asks_what_the_ledger_lacks(tmp_path):
    ledger = tmp_path / "ledger.jsonl"
    with endpoint(answers=100) as (url, asked, _):
        entries = rubric.judge(ROWS[:2], ledger, endpoint=url, judge="gpt", parallel=1)
        assert [entry.id for entry in entries] == ["0", "1"] and len(asked) == 2
        assert entries[0].verdicts == {"C": True, "H": False, "I": False, "E": True}
        assert '"answer 1"' in asked[1]
        entries = rubric.judge(ROWS, ledger, endpoint=url, judge="gpt", parallel=1,
                               parameters={"max_tokens": 1024, "temperature": 0.2})
        assert [entry.id for entry in entries] == [row["id"] for row in ROWS] and len(asked) == 6
    assert entries == [json.loads(line) for line in ledger.read_text().splitlines()]
    report = rubric.evaluate_chie(ledger)
    assert report.values


def test_lists_in_cells_are_read_as_the_command_reads_them(tmp_path):
    cells = ['["308", "three hundred"]', "['eight', \"it's 8\"]", "[0, 1]"]
    expected = [["308", "three hundred"], ["eight", "it's 8"], "[0, 1]"]
    columns = {name: [row[name] for row in ROWS[:3]] for name in ROWS[0]}
    columns |= {"reference": cells, "reply": ["Agree Agree Disagree Disagree"] * 3}

    def references(rows, **options):
        ledger = tmp_path / "ledger.jsonl"
        ledger.unlink(missing_ok=True)
        entries = rubric.judge(rows, ledger, recorded=True, judge="gpt", **options)
        return [entry.reference for entry in entries]

    with open(tmp_path / "rows.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([columns, *zip(*columns.values())])
    assert references(tmp_path / "rows.csv") == expected
    assert references(columns) == cells  # lists, as they are
    for name, maker in ("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table"):
        make = getattr(pytest.importorskip(name), maker)
        assert references(make(columns)) == expected
        assert references(rubric.score(make(columns), metrics=["f1"])) == expected
        named = {"gold" if column == "reference" else column: values
                 for column, values in columns.items()}
        for field in {"reference": "gold"}, ["reference=gold"]:
            assert references(make(named), field=field) == expected
        with pytest.raises(rubric.InputError, match="no comma") as caught:
            references(make({**columns, "reference": [*cells[:2], "['a' 'b']"]}))
        assert (caught.value.row, caught.value.field) == (2, "reference")


def test_ctrl_c_gives_up_what_is_not_answered(tmp_path):
    ledger = tmp_path / "ledger.jsonl"

    def stop() -> None:
        stalled.wait()
        os.kill(os.getpid(), signal.SIGINT)

    with endpoint(answers=2) as (url, asked, stalled):
        threading.Thread(target=stop).start()
        with pytest.raises(KeyboardInterrupt):
            rubric.judge(ROWS, ledger, endpoint=url, judge="gpt", parallel=1, timeout=86_400)
    assert [json.loads(line)["id"] for line in ledger.read_text().splitlines()] == ["0", "1"]
    with endpoint(answers=100) as (url, asked, _):
        assert len(rubric.judge(ROWS, ledger, endpoint=url, judge="gpt")) == 6 and len(asked) == 4


@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_a_program_that_somebody_else_stops_is_an_error(tmp_path):
    def stop() -> None:
        stalled.wait()
        (child,) = (pid for pid in children()
                    if Path(f"/proc/{pid}/comm").read_text() == "rubric\n")
        os.kill(child, signal.SIGTERM)

    with endpoint(answers=0) as (url, _, stalled):
        threading.Thread(target=stop).start()
        with pytest.raises(rubric.Error, match="exit code 75"):
            rubric.judge(ROWS, tmp_path / "ledger.jsonl", endpoint=url, judge="gpt")


def children() -> list[int]:
    """Of this process, of all of its threads."""
    return [int(pid) for task in os.listdir("/proc/self/task")
            for pid in open(f"/proc/self/task/{task}/children").read().split()]


def test_mistakes(tmp_path):
    ledger = tmp_path / "ledger.jsonl"
    with pytest.raises(rubric.InputError, match="^judge= is missing\n  to do: add judge=MODEL: .*"
                                                "`rubric help judge` shows"):
        rubric.judge(ROWS, ledger)
    with pytest.raises(rubric.InputError, match="connect"):
        rubric.judge(ROWS, ledger, endpoint="http://127.0.0.1:1/v1", judge="gpt", retries=0)
    with endpoint(answers=100) as (url, asked, _):
        rows = [*ROWS[:2], {**ROWS[2], "candidate": ""}]
        with pytest.raises(rubric.InputError, match=r"row 2 \(the first is 0\)") as caught:
            rubric.judge(rows, ledger, endpoint=url, judge="gpt")
        assert caught.value.row == 2
        rows[2] = {key: value for key, value in ROWS[2].items() if key != "passage"}
        with pytest.raises(rubric.InputError, match="passage"):
            rubric.judge(rows, ledger, endpoint=url, judge="gpt")
        with pytest.raises(rubric.Error, match="budget"):
            rubric.judge(ROWS, ledger, endpoint=url, judge="gpt", parallel=1, budget_requests=2)
        assert len(asked) == 2
