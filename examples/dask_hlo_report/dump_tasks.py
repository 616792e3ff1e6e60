"""What the workers of the cluster do: one task for each dump.

Each worker keeps one `tessera batch` process for all its tasks.
"""

import gzip
import os
import signal
from typing import IO, Any

from distributed import WorkerPlugin, get_worker

from memory_report import Report, dump_report, failed_report
from tessera_pipe import PipeError, TesseraPipe

_PLUGIN = "tessera"
_GZIP_MAGIC = b"\x1f\x8b"
# More than a line of `tessera batch` may have.
_MOST_BYTES = 64 << 20
# As many as `tessera batch` gives: sums over dumps are to miss no row.
_ANSWER_ROWS = 4096


class TesseraPlugin(WorkerPlugin):
    """Gives a worker its process, and ends that with the worker.

    A worker that is killed ends it too: its input then comes to an end.
    """

    name = _PLUGIN

    def __init__(self, program: str) -> None:
        self._program = program

    def setup(self, worker: Any) -> None:
        # Ctrl-C reaches all processes; the one that has the cluster ends it.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.pipe = TesseraPipe(self._program)

    def teardown(self, worker: Any) -> None:
        self.pipe.close()


def report_dump(dump: str, folder: str, rows: int) -> Report:
    """The report of one dump; runs in a worker that has the plugin."""
    plugin = get_worker().plugins[_PLUGIN]
    assert isinstance(plugin, TesseraPlugin)
    pipe = plugin.pipe
    restarts_before = pipe.restarts
    try:
        text = _read_text(os.path.join(folder, dump))
        answer = pipe.ask({"summarize": {"hlo": text, "rows": _ANSWER_ROWS}})
    except (OSError, EOFError, ValueError, PipeError) as error:
        return failed_report(dump, str(error), pipe.restarts - restarts_before)
    return dump_report(dump, answer, pipe.restarts - restarts_before, rows)


def _read_text(path: str) -> str:
    """A dump's text, packed by gzip or not; at most _MOST_BYTES of it."""
    with open(path, "rb") as file:
        if file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC:
            file.seek(0)
            with gzip.open(file) as unpacked:
                return _decode(unpacked)
        file.seek(0)
        return _decode(file)


def _decode(file: IO[bytes] | gzip.GzipFile) -> str:
    data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError(f"more than {_MOST_BYTES} bytes")
    return data.decode(errors="replace")
