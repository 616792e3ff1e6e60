"""A `tessera batch` process as a stage of a pipe.

    pipe = TesseraPipe("tessera")
    pipe.ask({"parse": {"text": "f32[2,3]"}})
    # {"id": "1", "parse": {"canonical": "f32[2,3]{1,0}", ...}}
    pipe.close()

Questions and answers are those of proto/layout_service.proto as JSON.
"""

import contextlib
import itertools
import json
import subprocess
from typing import Any

Message = dict[str, Any]

# For a process that has been told to end.
_SECONDS_TO_END = 5.0


class PipeError(Exception):
    """The process has died, or has not answered what it was asked."""


class TesseraPipe:
    """One long-lived process, started when it is first asked.

    It is asked one question at a time, by one thread.
    """

    def __init__(self, program: str) -> None:
        # The cores are the cluster's to share out.
        self._command = [program, "batch", "--jobs", "1"]
        self._process: subprocess.Popen[bytes] | None = None
        self._ids = itertools.count(1)
        self._is_closed = False
        self.restarts = 0

    def ask(self, question: Message) -> Message:
        """Returns the answer: a result or an error.

        If the process dies, another one is asked once more. Raises PipeError
        if that dies too; the next question then starts one anew.
        """
        try:
            return self._exchange(question)
        except PipeError:
            self.restarts += 1
        return self._exchange(question)

    def close(self) -> None:
        """Ends the process and waits for its end; no question comes after.

        Another thread may be waiting for an answer, and gets a PipeError.
        """
        self._is_closed = True
        self._end()

    def _exchange(self, question: Message) -> Message:
        identity = str(next(self._ids))
        request = json.dumps({"id": identity, **question}, ensure_ascii=False)
        line = self._exchange_line(request.encode())
        try:
            answer: Message = json.loads(line)
        except ValueError as error:
            self._end()
            raise PipeError(f"tessera batch gave invalid JSON: {error}") from None
        # Of a line that is too long it does not read the id.
        if answer.get("id", "") not in ("", identity):
            self._end()
            raise PipeError(f"tessera batch was asked {identity} and "
                            f"answered {answer['id']}")
        return answer

    def _exchange_line(self, line: bytes) -> bytes:
        answer = b""
        try:
            process = self._running()
            assert process.stdin and process.stdout
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(line + b"\n")
                process.stdin.flush()
                answer = process.stdout.readline()
        except OSError as error:
            raise PipeError(f"tessera batch does not run: {error}") from None
        if not answer.endswith(b"\n"):
            raise PipeError(f"tessera batch {self._end()}")
        return answer

    def _running(self) -> subprocess.Popen[bytes]:
        if self._is_closed:
            raise PipeError("the pipe is closed")
        if self._process is None:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._process

    def _end(self) -> str:
        """Ends the process and says how it ended."""
        process, self._process = self._process, None
        if process is None:
            return "has been ended"
        assert process.stdin and process.stdout
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        if process.returncode < 0:
            return f"was killed by signal {-process.returncode}"
        return f"ended with exit code {process.returncode}"
