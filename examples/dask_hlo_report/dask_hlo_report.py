#!/usr/bin/python3
"""Reports on the memory of a folder of HLO dumps, on a Dask cluster.

    dask_hlo_report.py FOLDER --tessera bazel-bin/cli/tessera

Every dump is one task. The workers, processes of this machine, ask a `tessera
batch` process each; what they are answered is joined to one report. A dump
that cannot be read stands in the report with the reason, and the exit code is
then 1.
"""

import argparse
import fnmatch
import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from types import FrameType

from distributed import Client, Future, KilledWorker, LocalCluster, wait

from dump_tasks import TesseraPlugin, report_dump
from memory_report import Report, failed_report, join_reports
from report_text import json_text, plain_text

_DUMP_NAMES = ["*.hlo", "*.txt", "*.hlo.gz", "*.txt.gz"]
_SIGNALS = [signal.SIGINT, signal.SIGTERM]
# How many reports one task joins.
_FAN_IN = 16


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Report on the memory of a folder of HLO dumps, on a Dask "
        "cluster of this machine's cores.")
    parser.add_argument("folder", help="where the dumps are, gzip or not")
    parser.add_argument("--name", action="append", metavar="PATTERN",
                        help="which files are dumps; may be given several "
                        f"times ({' '.join(_DUMP_NAMES)})")
    parser.add_argument("--tessera", default="tessera", metavar="PROGRAM",
                        help="the program tessera (as found on PATH)")
    parser.add_argument("--workers", type=_positive, metavar="N",
                        default=os.cpu_count(), help="(one a core)")
    parser.add_argument("--rows", type=_positive, metavar="N", default=10,
                        help="how many rows the tables have (%(default)s)")
    parser.add_argument("--format", choices=["text", "json"], default="text",
                        help="(%(default)s)")
    arguments = parser.parse_args()
    if not os.path.isdir(arguments.folder):
        parser.error(f"no folder: {arguments.folder}")
    program = shutil.which(arguments.tessera)
    if program is None:
        parser.error(f"no program: {arguments.tessera}; see --tessera")
    arguments.tessera = os.path.abspath(program)
    return arguments


def find_dumps(folder: str, patterns: list[str]) -> list[str]:
    """Files of the folder and of those below it, relative to it."""
    found = []
    for parent, _, names in os.walk(folder, onerror=_raise):
        for name in names:
            path = os.path.join(parent, name)
            if os.path.isfile(path) and any(
                    fnmatch.fnmatch(name, pattern) for pattern in patterns):
                found.append(os.path.relpath(path, folder))
    return sorted(found)


def report_folder(client: Client, folder: str, dumps: list[str],
                  rows: int) -> Report:
    """Maps the dumps to reports and joins these, all on the cluster."""
    def ask(some_dumps: list[str]) -> list[Future]:
        futures: list[Future] = client.map(
            report_dump, some_dumps, folder=folder, rows=rows, pure=False)
        wait(futures)
        return futures

    reports = [_settled(dump, future, ask)
               for dump, future in zip(dumps, ask(dumps))]
    while len(reports) > 1:
        reports = [client.submit(join_reports, reports[i:i + _FAN_IN], rows,
                                 pure=False)
                   for i in range(0, len(reports), _FAN_IN)]
    [report] = client.gather(reports)
    assert isinstance(report, Report)
    return report


def report_on_cluster(arguments: argparse.Namespace,
                      dumps: list[str]) -> Report:
    """Starts a cluster for the dumps and ends it."""
    with tempfile.TemporaryDirectory() as scratch, LocalCluster(
            n_workers=min(arguments.workers, len(dumps)),
            # One pipe a worker is asked by one thread.
            threads_per_worker=1,
            host="127.0.0.1",
            # No address would stand for port 8787.
            scheduler_kwargs={"dashboard": False, "dashboard_address": ":0"},
            local_directory=scratch,
            silence_logs=logging.ERROR) as cluster, Client(cluster) as client:
        client.register_worker_plugin(TesseraPlugin(arguments.tessera))
        return report_folder(client, os.path.abspath(arguments.folder), dumps,
                             arguments.rows)


def main() -> int:
    arguments = parse_arguments()
    for number in _SIGNALS:
        signal.signal(number, _exit)
    try:
        dumps = find_dumps(arguments.folder, arguments.name or _DUMP_NAMES)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    report = report_on_cluster(arguments, dumps) if dumps else Report()
    to_text = json_text if arguments.format == "json" else plain_text
    text = to_text(report, arguments.rows) + "\n"
    # Whatever the names of files are, and whatever the terminal can show.
    sys.stdout.buffer.write(
        text.encode(sys.stdout.encoding, "backslashreplace"))
    return int(any(problem.kind != "cut off" for problem in report.problems))


def _exit(number: int, _: FrameType | None) -> None:
    """Ends the cluster on the way out, which a second signal must not stop."""
    for each in _SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + number)


def _raise(error: OSError) -> None:
    raise error


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def _settled(dump: str, future: Future,
             ask: Callable[[list[str]], list[Future]]) -> Future | Report:
    """What is known of a dump whose task has come to an end."""
    if future.status != "finished" and _is_killed(future):
        # When a worker dies, all that waits for it is suspected too: alone,
        # it will show.
        [future] = ask([dump])
    if future.status == "finished":
        return future
    if _is_killed(future):
        return failed_report(dump, "every worker that was given it died")
    return failed_report(dump, f"its task failed: {future.exception()!r}")


def _is_killed(future: Future) -> bool:
    return isinstance(future.exception(), KilledWorker)


if __name__ == "__main__":
    sys.exit(main())
