#!/usr/bin/env python3
"""Runs every command of the command line with less and less address space.

    memory.py [TESSERA] [--quick]

A command must either do its work or say why not and exit with 1 (2 for usage); never be ended by a signal, never hang. With
--quick there are three limits instead of twenty. MALLOC_ARENA_MAX=1, because glibc takes 64 MiB of address space for each arena.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import zlib

from attack import CHEAP, call_chain, large_module

QUICK = [50, 80, 200]
ALL = [30, 40, 50, 60, 70, 80, 90, 100, 120, 150, 180, 200, 250, 300, 400, 500, 600, 700, 800, 1000]
SECONDS = 120


def hostile_proto(bytes_):
    """Empty messages, which take two bytes each here and hundreds in memory: an HloProto with instructions of nothing."""
    instruction = b"\x12\x00" * (bytes_ // 2)  # HloComputationProto.instructions

    def field(number, content):
        length, out = len(content), bytearray([number << 3 | 2])
        while length > 127:
            out.append(length & 127 | 128)
            length >>= 7
        return bytes(out) + bytes([length]) + content

    module = field(1, b"m") + field(3, field(1, b"c") + instruction)
    return field(1, module)


def gzip_of_zeros(bytes_):
    packer = zlib.compressobj(9, wbits=31)
    block = bytes(1 << 20)
    return b"".join([packer.compress(block) for _ in range(bytes_ >> 20)]) + packer.flush()


def commands(folder):
    def write(name, content):
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    module = write("module.txt", large_module(60000))
    chain = write("chain.txt", call_chain(30000))
    proto = write("hostile.pb", hostile_proto(20 << 20))
    bomb = write("bomb.txt.gz", gzip_of_zeros(1 << 30))
    passes = os.path.join(folder, "passes")
    os.mkdir(passes)
    for number, name in enumerate(("before_fusion", "after_fusion")):
        write(f"passes/module_0001.m.{number:04}.pipeline.{name}.txt", large_module(20000))
    tensors = b"tensor<32x32xf32>\n" * 300000
    array = write("array.bin", b"")
    os.truncate(array, 64 << 20)
    out = os.path.join(folder, "out")
    line = json.dumps({"parse": {"text": "x" * (30 << 20)}}).encode() + b"\n"
    cheap = json.dumps(CHEAP).encode() + b"\n"
    array_type = "f32[4096,4096]"
    relayout = ["relayout", "--from", array_type, "--to", array_type + "{0,1:T(8,128)}"]
    yield ["parse", "f32[2]"], b""
    yield ["parse", "-"], b"(" * (20 << 20)
    yield ["describe", "f32[1000,1000]{1,0:T(8,128)}"], b""
    yield ["index", "f32[1000,1000]{1,0:T(8,128)}", "-"], b"1,1\n" * 100000
    yield ["coords", "f32[1000,1000]{1,0:T(8,128)}", "-"], b"1\n" * 100000
    yield ["runs", "f32[1000,1000]{1,0:T(8,128)}"], b""
    yield ["padding", "f32[1001,1001]{1,0:T(8,128)}"], b""
    yield ["compare", "f32[1021,1019]{1,0:T(8,128)}", "f32[1021,1019]{0,1:T(8,128)}"], b""
    yield ["draw", "f32[64,64]{1,0:T(8,128)}", "-o", out], b""
    yield ["explore", "f32[64,64]{1,0:T(8,128)}", "-o", out], b""
    yield ["cute", "composition((1021,1019):(1019,1),(1019,1021):(1021,1))"], b""
    yield ["batch", "-j", "1"], line + cheap
    yield relayout + [array, out], b""
    yield relayout + ["-", out], bytes(64 << 20)
    yield ["tt", "check", "tensor<32x32xf32>"], b""
    yield ["tt", "check", "-"], tensors
    yield ["tt", "report", "-"], tensors
    for file in (module, chain, proto, bomb):
        yield ["hlo", file], b""
        yield ["hlo", "peak", file], b""
    yield ["hlo", "peak", module, "--html", out], b""
    yield ["hlo", "diff", module, module], b""
    yield ["hlo", "instructions", module], b""
    yield ["hlo", "map", module], b""
    yield ["hlo", "cat", module], b""
    yield ["hlo", "passes", passes], b""
    yield ["hlo", "explain", "-"], b"RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm.\n" * 200000
    yield ["hlo", "check", module, "--max-reserved", "100TiB"], b""
    yield ["hlo", "-"], open(module, "rb").read()


def run(program, arguments, given, megabytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    process = subprocess.Popen(
        [program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=limit,
        env={"MALLOC_ARENA_MAX": "1", "PATH": os.environ["PATH"]},
    )
    try:
        errors = process.communicate(given, timeout=SECONDS)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return "has no end"
    except BrokenPipeError:
        errors = process.communicate()[1]
    code = process.returncode
    if code == 0 or (code in (1, 2) and errors.strip()):
        return ""
    return f"ended with {code} and said {errors[-200:]!r}"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    program = os.path.abspath(arguments[0] if arguments else "bazel-bin/cli/tessera")
    limits = QUICK if "--quick" in sys.argv else ALL
    runs, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for command, given in commands(folder):
            shown = " ".join(command)[:70]
            for megabytes in limits:
                runs += 1
                problem = run(program, command, given, megabytes)
                if problem:
                    failures.append(f"{shown} in {megabytes} MB: {problem}")
                    print(failures[-1], flush=True)
    print(f"{runs} runs, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
