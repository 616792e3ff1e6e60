#!/usr/bin/env python3
"""Ends commands that write a file at random moments, with SIGKILL and SIGTERM.

    faults.py [TESSERA] [--times=200]

The file must have its old bytes or the new ones, never others. After SIGTERM nothing else may be left in its folder; after
SIGKILL at most the temporary file, whose name ends in .tmp.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from attack import large_module

OLD = b"old bytes\n" * 1000


def writers(folder, out):
    module = os.path.join(folder, "module.txt")
    with open(module, "w") as file:
        file.write(large_module(3000))
    array = os.path.join(folder, "array")
    with open(array, "wb") as file:
        file.write(os.urandom(1 << 20) * 32)
    shape = "u8[8192,4096]"
    yield ["relayout", "--from", shape, "--to", shape + "{0,1}", array, out]
    yield ["draw", "f32[100,100]{1,0:T(8,128)}", "-o", out]
    yield ["explore", "f32[64,64]{1,0:T(8,128)}", "-o", out]
    yield ["hlo", module, "--html", out]
    yield ["hlo", "peak", module, "--html", out]
    yield ["hlo", "map", module, "--trace", out]
    yield ["hlo", "map", module, "--svg", out]
    yield ["hlo", "check", module, "--write-baseline", out]
    yield ["hlo", "check", module, "--max-reserved", "100TiB", "--markdown", out]


def put(path, content):
    with open(path, "wb") as file:
        file.write(content)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    arguments = sys.argv[1:]
    times = next((int(argument[8:]) for argument in arguments if argument.startswith("--times=")), 200)
    programs = [argument for argument in arguments if not argument.startswith("--")]
    program = os.path.abspath(programs[0] if programs else "bazel-bin/cli/tessera")
    chosen = random.Random(1)
    kept = replaced = temporaries = 0
    failures = []
    with tempfile.TemporaryDirectory() as inputs, tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        commands = []
        for command in writers(inputs, out):
            put(out, OLD)
            start = time.time()
            subprocess.run([program, *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            commands.append((command, time.time() - start, read(out)))
        for i in range(times):
            command, seconds, new = commands[i % len(commands)]
            sent = signal.SIGKILL if i // len(commands) % 2 else signal.SIGTERM
            put(out, OLD)
            process = subprocess.Popen([program, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            # Most of them near the end, where it is written.
            time.sleep(seconds * chosen.uniform(0.5, 1.1) * chosen.choice((1, 1, 0.5)))
            process.send_signal(sent)
            process.wait()
            content = read(out)
            kept += content == OLD
            replaced += content == new
            if content not in (OLD, new):
                failures.append(f"{command[:2]} after {sent.name}: {len(content)} bytes that are neither old nor new")
            for name in os.listdir(folder):
                if name == "out":
                    continue
                temporaries += 1
                if sent == signal.SIGTERM or not name.endswith(".tmp"):
                    failures.append(f"{command[:2]} after {sent.name} leaves {name}")
                os.unlink(os.path.join(folder, name))
    print(f"{times} times: the old bytes {kept}, the new ones {replaced}, temporary files {temporaries}")
    print("\n".join(failures) or "nothing else")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
