"""A process `rubric worker` that keeps a model in memory (src/cli/neural/worker.h)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import IO, Any

from rubric_program import PROGRAMS, environment, libtorch

from ._errors import Error, InputError

Observe = Callable[[dict[str, Any]], None]

_LENGTH = 8  # bytes of a frame that say how many follow
_SECONDS_TO_END = 5  # that a worker has, before it is killed


def _frame(content: dict[str, Any]) -> bytes:
    text = json.dumps(content, ensure_ascii=False).encode()
    return len(text).to_bytes(_LENGTH, "little") + text


def _write_frames(pipe: IO[bytes], frames: SimpleQueue[bytes | None]) -> None:
    """Write what comes until None, then close the pipe."""
    try:
        with pipe:
            while (frame := frames.get()) is not None:
                rest = memoryview(frame)
                while rest:
                    rest = rest[pipe.write(rest):]
    except OSError:
        pass  # the worker has ended, which the other thread tells


def _read_frames(pipe: IO[bytes], events: SimpleQueue[dict[str, Any] | None]) -> None:
    """Put each event, and None where the worker has ended."""
    def read(count: int) -> bytes:
        parts = []
        while count > 0:
            part = pipe.read(min(count, 1 << 20))
            if not part:
                raise EOFError
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    with pipe:
        try:
            while True:
                events.put(json.loads(read(int.from_bytes(read(_LENGTH), "little"))))
        except (EOFError, OSError, ValueError):
            events.put(None)


def _end(process: subprocess.Popen[bytes], frames: SimpleQueue[bytes | None],
         messages: IO[bytes], threads: list[threading.Thread], owner: int) -> None:
    """End the worker. The end of its input would not do: a child of this process may hold it."""
    if os.getpid() != owner:
        return
    frames.put(_frame({"id": 0, "do": "end"}))
    frames.put(None)
    try:
        process.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for thread in threads:  # they close the pipes
        if thread is not threading.current_thread():  # on which garbage may be collected
            thread.join(_SECONDS_TO_END)
    messages.close()


def _closed() -> Error:
    return Error("the model is closed\n  to do: load it again")


class Worker:
    """Answers one request at a time; several threads wait for each other.

    Threads of its own read and write, so that Ctrl-C, which Python answers between two
    instructions of the main thread, never leaves half a frame. Each event has the id of its
    request: what comes after a request was given up is passed over.
    """

    def __init__(self) -> None:
        _, _, problem = libtorch()
        if problem:
            raise InputError(problem)
        self._messages = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [PROGRAMS / "rubric", "worker"], env=environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._messages, bufsize=0)
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._last_id = 0
        self._frames: SimpleQueue[bytes | None] = SimpleQueue()
        self._events: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        assert self._process.stdin is not None and self._process.stdout is not None
        threads = [
            threading.Thread(target=work, name="rubric-worker", daemon=True)
            for work in (partial(_write_frames, self._process.stdin, self._frames),
                         partial(_read_frames, self._process.stdout, self._events))]
        for thread in threads:
            thread.start()
        self._finalizer = weakref.finalize(self, _end, self._process, self._frames,
                                           self._messages, threads, self._owner)

    @property
    def pid(self) -> int:
        return self._process.pid

    def close(self) -> None:
        self._finalizer()

    def request(self, content: dict[str, Any], observe: Observe) -> list[dict[str, Any]]:
        """Send a request, pass its events on, and return the scores of the last one.

        Raises
        ------
        InputError, Error
            As the worker says, and Error where it has ended.
        """
        if os.getpid() != self._owner:
            raise Error("the model was loaded in another process\n"
                        "  to do: load it in each process that scores")
        with self._lock:
            if not self._finalizer.alive:
                raise _closed()
            self._last_id += 1
            try:
                self._send(content)
                return self._answer(observe)
            except Error:
                raise
            except BaseException:  # Ctrl-C, or an error of `observe`
                self._send({"do": "cancel"})
                raise

    def _send(self, content: dict[str, Any]) -> None:
        self._frames.put(_frame({"id": self._last_id, **content}))

    def _answer(self, observe: Observe) -> list[dict[str, Any]]:
        while (event := self._events.get()) is not None:
            if event["id"] != self._last_id:
                continue
            if event["event"] == "done":
                scores: list[dict[str, Any]] = event["scores"]
                return scores
            if event["event"] == "error":
                raise (InputError if event["kind"] == "InputError" else Error)(event["message"])
            observe(event)
        raise self._ended()

    def _ended(self) -> Error:
        """What to raise where the worker has ended, with its last messages."""
        ended = self._finalizer.detach()
        if ended is None:  # by close(), on another thread
            return _closed()
        _, end, arguments, _ = ended
        code = self._process.wait()
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        size = self._messages.seek(0, os.SEEK_END)
        self._messages.seek(max(0, size - 2000))
        last = self._messages.read().decode(errors="replace").strip()
        end(*arguments)
        return Error(f"rubric worker has ended, {how}"
                     + (f"; its last messages:\n{last}" if last else "")
                     + "\n  to do: load the model again")
