#!/usr/bin/python3
"""Stands for tessera, $TESSERA, and fails where a request says so."""

import os
import signal
import subprocess
import sys


def fail_if_told(line: bytes) -> None:
    if b"DIE ALWAYS" in line:
        os.kill(os.getpid(), signal.SIGKILL)
    if b"DIE ONCE" in line and not os.path.exists(os.environ["DIED"]):
        with open(os.environ["DIED"], "w"):
            sys.exit(7)
    if b"KILL THE WORKER" in line:
        os.kill(os.getppid(), signal.SIGKILL)
    if b"WAIT" in line:
        with open(os.environ["WAITS"], "w"):
            sys.stdin.read()


def fault_of_answer(line: bytes, answer: bytes) -> bytes:
    if b"OTHER ID" in line:
        return b'{"id":"other"}\n'
    if b"NO JSON" in line:
        return b"{\n"
    return answer


def main() -> None:
    tessera = subprocess.Popen([os.environ["TESSERA"]] + sys.argv[1:],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for line in sys.stdin.buffer:
        fail_if_told(line)
        tessera.stdin.write(line)
        tessera.stdin.flush()
        answer = tessera.stdout.readline()
        sys.stdout.buffer.write(fault_of_answer(line, answer))
        sys.stdout.buffer.flush()
    tessera.stdin.close()
    tessera.wait()


if __name__ == "__main__":
    main()
