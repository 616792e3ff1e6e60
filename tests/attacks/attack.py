"""A server under attack: it is started on free ports of this machine, asked, and measured.

    with Server("cli/tessera_serve") as server:
        server.ask({"parse": {"text": "f32[2]"}})   # the answer as a dict
        server.resident_bytes()

The scripts beside it use it, and nothing that Python does not bring along: HTTP/2 and protocol buffers are written by hand,
because a library would not send what an attacker sends.
"""

import json
import os
import re
import signal
import socket
import struct
import subprocess
import time

CHEAP = {"linearize": {"layout": "f32[3,5]{1,0:T(2,2)}", "indices": [2, 3]}}
PICTURE = {
    "picture": {
        "layout": "f32[1000,1000,1000]{2,1,0:T(8,128)(4,1)}",
        "row_window": {"count": 128},
        "column_window": {"count": 128},
    }
}
LONG_VALUES = {"evaluate": {"expression": "4096:2251799813685247", "max_values": 4096}}


class Server:
    """A process of tessera_serve. `prepare` runs in it before it begins."""

    def __init__(self, program, *options, prepare=None, environment=None):
        self.process = subprocess.Popen(
            [program, "--grpc-port=0", "--http-port=0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=prepare,
            env=environment,
        )
        lines = [self.process.stdout.readline().decode() for _ in range(2)]
        if not lines[1]:
            raise RuntimeError(f"the server has not begun: {self.process.stderr.read().decode()}")
        self.grpc_port = int(lines[0].strip().rsplit(":", 1)[1])
        self.http_port = int(re.search(r":(\d+)/", lines[1]).group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def end(self, seconds=30):
        """Ends it as an administrator does. Returns the exit code and what it has said on standard error."""
        self.process.send_signal(signal.SIGTERM)
        errors = self.process.communicate(timeout=seconds)[1].decode()
        return self.process.returncode, errors

    # -- Measured ------------------------------------------------------------

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * 4096

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    # -- Asked ---------------------------------------------------------------

    def connect(self, timeout=60, port=None):
        return socket.create_connection(("127.0.0.1", port or self.http_port), timeout=timeout)

    def raw(self, data, timeout=60):
        """What comes back for these bytes until the server hangs up, or nothing comes any more."""
        connection = self.connect(timeout)
        with connection:
            try:
                connection.sendall(data)
            except OSError:
                pass
            return read_all(connection)

    def post(self, path, body, timeout=60):
        """The status and the body of an answer; ConnectionError if there is none."""
        head, _, content = self.raw(http_request(path, body, "Connection: close\r\n"), timeout).partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 "):
            raise ConnectionError("there is no answer")
        return int(head.split()[1]), content

    def get(self, path, timeout=60):
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
        head, _, content = self.raw(request, timeout).partition(b"\r\n\r\n")
        return (int(head.split()[1]) if head else 0), content

    def ask(self, question, timeout=60):
        return json.loads(self.post("/v1/ask", question, timeout)[1])

    def answers(self, timeout=60):
        """Whether it answers a cheap question, rightly, over both transports."""
        try:
            return self.ask(CHEAP, timeout)["linearize"]["linear_indices"] == [17] and self.grpc_answers(timeout)
        except (OSError, ValueError, KeyError):
            return False

    def grpc_answers(self, timeout=60):
        """Whether gRPC answers a call: with data, and with the status 0."""
        with self.connect(timeout, self.grpc_port) as connection:
            connection.sendall(http2_opening(1 << 20) + http2_call(1, "Ask", proto_request(CHEAP)))
            received, end = b"", time.time() + timeout
            while time.time() < end:
                data = connection.recv(65536)
                received += data
                if not data or b"grpc-status\x010" in received or b"grpc-status" in received or b"\x22\x01\x11" in received:
                    break
            # linear_indices of the answer, packed: 17.
            return b"\x0a\x01\x11" in received

    def metrics(self):
        """The numbers of /metrics by their names."""
        numbers = {}
        for line in self.get("/metrics")[1].decode().splitlines():
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                numbers[name] = float(value)
        return numbers


def read_all(connection):
    parts = []
    try:
        while part := connection.recv(1 << 16):
            parts.append(part)
    except OSError:
        pass
    return b"".join(parts)


def http_request(path, body, headers=""):
    if isinstance(body, dict):
        body = json.dumps(body).encode()
    return (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{headers}"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode() + body


# -- Protocol buffers --------------------------------------------------------

FIELDS = {
    "linearize": (4, {"layout": 1, "indices": 2}),
    "evaluate": (10, {"expression": 1, "max_values": 3}),
    "picture": (16, {"layout": 1, "row_window": 5, "column_window": 6, "memory": 7}),
    "peak": (20, {"hlo": 1, "rows": 2}),
    "padding": (8, {"layout": 1}),
}
CELL_RANGE = {"first": 1, "count": 2}


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def proto_bytes(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def proto_message(fields, values):
    out = b""
    for name, value in values.items():
        number = fields[name]
        if isinstance(value, str):
            out += proto_bytes(number, value.encode())
        elif isinstance(value, dict):
            out += proto_bytes(number, proto_message(CELL_RANGE, value))
        elif isinstance(value, list):
            out += proto_bytes(number, b"".join(map(varint, value)))
        else:
            out += varint(number << 3) + varint(value)
    return out


def proto_request(question):
    ((name, values),) = question.items()
    number, fields = FIELDS[name]
    return proto_bytes(number, proto_message(fields, values))


def proto_batch(questions):
    return b"".join(proto_bytes(1, proto_request(question)) for question in questions)


# -- HTTP/2 ------------------------------------------------------------------


def http2_frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def http2_opening(window):
    """The beginning of a connection that takes `window` bytes of each answer."""
    opening = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + http2_frame(4, 0, 0, struct.pack(">HI", 4, window))
    return opening + (http2_frame(8, 0, 0, struct.pack(">I", window)) if window else b"")


def http2_call(stream, method, message):
    headers = b""
    for name, value in (
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", b"/tessera.rpc.LayoutService/" + method.encode()),
        (b":authority", b"localhost"),
        (b"te", b"trailers"),
        (b"content-type", b"application/grpc"),
    ):
        headers += b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value
    data = b"\0" + struct.pack(">I", len(message)) + message
    out = http2_frame(1, 4, stream, headers)
    for begin in range(0, len(data), 16384):
        is_last = begin + 16384 >= len(data)
        out += http2_frame(0, int(is_last), stream, data[begin : begin + 16384])
    return out


def percentile(values, fraction):
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * fraction), len(ordered) - 1)]


# -- Large questions ---------------------------------------------------------


def large_module(instructions, seed=3):
    """An HLO module of some 55 bytes an instruction, whose values live long."""
    import random

    chosen = random.Random(seed)
    lines = ["HloModule m, is_scheduled=true", "", "ENTRY e {", "  x0 = f32[8,128]{1,0:T(8,128)} parameter(0)"]
    for i in range(1, instructions):
        shape = f"f32[{8 + i % 500},{128 + i % 900}]{{1,0:T(8,128)}}"
        lines.append(f"  x{i} = {shape} add(x{chosen.randrange(i)}, x{chosen.randrange(i)})")
    return "\n".join(lines) + "\n}\n"


def call_chain(computations):
    lines = ["HloModule m, is_scheduled=true", ""]
    for i in range(computations):
        body = f"call(p{i}), to_apply=c{i - 1}" if i else f"negate(p{i})"
        lines += [f"c{i} {{", f"  p{i} = f32[8]{{0}} parameter(0)", f"  ROOT r{i} = f32[8]{{0}} {body}", "}", ""]
    last = f"call(p), to_apply=c{computations - 1}"
    return "\n".join(lines + ["ENTRY e {", "  p = f32[8]{0} parameter(0)", f"  ROOT z = f32[8]{{0}} {last}", "}", ""])
