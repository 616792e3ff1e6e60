#!/usr/bin/env python3
"""Mixed load for a long time, with clients that die.

    soak.py MINUTES [TESSERA_SERVE] [--pause=0]

Every ten seconds it prints the memory, threads and files of the server, and how many requests were answered. At the end: every
request of a client that did not die has been answered, and memory, threads and files are those of the first 5 minutes: gRPC
starts the last of its threads in the second one. A client pauses for `pause` seconds on average between requests, so that a
shared machine has time for others.
"""

import argparse
import json
import random
import socket
import struct
import sys
import threading
import time

from attack import (
    CHEAP,
    LONG_VALUES,
    PICTURE,
    Server,
    http2_call,
    http2_opening,
    http_request,
    large_module,
    proto_batch,
    proto_request,
)

CLIENTS = 12
# How much more memory there may be at the end than at the beginning.
GROWTH = 50 << 20


class Soak:
    def __init__(self, server, pause):
        self.server, self.pause = server, pause
        self.lock = threading.Lock()
        self.answered = self.refused = self.died = 0
        self.lost = []
        self.is_stopped = False
        module = large_module(2000)
        self.questions = [
            (60, "/v1/ask", CHEAP),
            (10, "/v1/ask", {"describe": {"layout": "bf16[1000,1001]{1,0:T(8,128)(2,1)}"}}),
            (10, "/v1/ask", {"parse": {"text": "f32[2,"}}),
            (5, "/v1/ask", PICTURE),
            (5, "/v1/ask", {"peak": {"hlo": module}}),
            (5, "/v1/batch", {"requests": [CHEAP] * 200}),
            (2, "/v1/batch", {"requests": [PICTURE] * 8}),
            (1, "/v1/ask", {"diff": {"before": module, "after": module}}),
            (2, "/v1/ask", {"evaluate": {"expression": "composition((1021,1019):(1019,1),(1019,1021):(1021,1))"}}),
            (1, "/v1/batch", {"requests": [PICTURE] * 4096}),
            (1, "/v1/batch", {"requests": [LONG_VALUES] * 1900}),
            (2, "/v1/ask", b"[" * 100_000),
            (2, "/v1/ask", b'{"parse": {"text": "\xff\0'),
        ]
        self.bodies = [
            (path, body if isinstance(body, bytes) else json.dumps(body).encode()) for _, path, body in self.questions
        ]
        self.weights = [weight for weight, _, _ in self.questions]

    def count(self, name):
        with self.lock:
            setattr(self, name, getattr(self, name) + 1)

    def run(self, seed):
        chosen = random.Random(seed)
        while not self.is_stopped:
            try:
                kind = chosen.random()
                if kind < 0.05:
                    self.leave_unread(chosen)
                elif kind < 0.2:
                    self.call_grpc(chosen)
                else:
                    self.ask_http(chosen)
            except OSError as error:
                with self.lock:
                    self.lost.append(repr(error))

    def die(self, connection, chosen):
        """By a reset, or by a word to the system that nobody reads on."""
        if chosen.random() < 0.5:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        self.count("died")

    def rest(self, chosen):
        time.sleep(2 * self.pause * chosen.random())

    def leave_unread(self, chosen):
        """Asks for megabytes, and dies without having taken one of them."""
        is_grpc = chosen.random() < 0.5
        with self.server.connect(120, self.server.grpc_port if is_grpc else None) as connection:
            if is_grpc:
                call = http2_call(1, "AskBatch", proto_batch([LONG_VALUES] * 200))
                connection.sendall(http2_opening(0) + call)
            else:
                connection.sendall(http_request("/v1/batch", {"requests": [LONG_VALUES] * 200}))
            time.sleep(3 * chosen.random())
            self.die(connection, chosen)

    def ask_http(self, chosen):
        with self.server.connect(120) as connection:
            reader = connection.makefile("rb")
            for _ in range(chosen.randrange(1, 30)):
                self.rest(chosen)
                path, body = chosen.choices(self.bodies, self.weights)[0]
                request = http_request(path, body)
                if chosen.random() < 0.05:
                    connection.sendall(request[: chosen.randrange(len(request) + 1)])
                    time.sleep(chosen.random() * 0.05)
                    reader.close()
                    self.die(connection, chosen)
                    return
                connection.sendall(request)
                status = reader.readline()
                if not status:
                    # A connection is closed between requests while others wait for it: then nothing was accepted.
                    raise ConnectionError("there is no answer")
                length, closes = 0, False
                while (line := reader.readline()) not in (b"\r\n", b""):
                    if line.lower().startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                    closes |= line.lower().startswith(b"connection: close")
                if len(reader.read(length)) != length:
                    raise ConnectionError("the answer is cut")
                self.count("refused" if status.split()[1] == b"503" else "answered")
                if closes:
                    return

    def call_grpc(self, chosen):
        with self.server.connect(120, self.server.grpc_port) as connection:
            connection.sendall(http2_opening(1 << 24))
            for i in range(chosen.randrange(1, 10)):
                self.rest(chosen)
                if chosen.random() < 0.8:
                    call = http2_call(1 + 2 * i, "Ask", proto_request(CHEAP))
                else:
                    call = http2_call(1 + 2 * i, "AskBatch", proto_batch([PICTURE] * 5))
                connection.sendall(call)
                if chosen.random() < 0.1:
                    self.die(connection, chosen)
                    return
                received = b""
                while b"grpc-status" not in received and not is_second_status(received):
                    part = connection.recv(1 << 16)
                    if not part:
                        raise ConnectionError("gRPC gives no answer")
                    received += part
                    answer_pings(connection, part)
                self.count("answered")


def is_second_status(received):
    """Whether the end of a stream is among these frames: a HEADERS frame with END_STREAM."""
    position = 0
    while position + 9 <= len(received):
        length = int.from_bytes(received[position : position + 3], "big")
        kind, flags = received[position + 3], received[position + 4]
        if kind == 1 and flags & 1:
            return True
        position += 9 + length
    return False


def answer_pings(connection, part):
    at = part.find(b"\0\0\x08\x06\0\0\0\0\0")
    if at >= 0:
        connection.sendall(b"\0\0\x08\x06\x01\0\0\0\0" + part[at + 9 : at + 17])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("minutes", type=float)
    parser.add_argument("program", nargs="?", default="bazel-bin/cli/tessera_serve")
    parser.add_argument("--pause", type=float, default=0)
    options = parser.parse_args()
    minutes = options.minutes
    with Server(options.program) as server:
        soak = Soak(server, options.pause)
        threads = [threading.Thread(target=soak.run, args=(seed,)) for seed in range(CLIENTS)]
        for thread in threads:
            thread.start()
        start = time.time()
        first = None
        while time.time() < start + 60 * minutes:
            time.sleep(10)
            now = (server.resident_bytes(), server.threads(), server.files())
            if time.time() > start + min(300, 30 * minutes) and first is None:
                first = now
            print(
                f"{time.time() - start:6.0f} s  {now[0] >> 20:5} MB  {now[1]:3} threads  {now[2]:3} files  "
                f"{soak.answered} answered, {soak.refused} refused, {soak.died} died, {len(soak.lost)} lost",
                flush=True,
            )
        soak.is_stopped = True
        for thread in threads:
            thread.join()
        time.sleep(20)
        last = (server.resident_bytes(), server.threads(), server.files())
        is_right = server.answers()
        code, errors = server.end()
    print(f"at the end {last[0] >> 20} MB, {last[1]} threads, {last[2]} files; first {first[0] >> 20} MB; exit code {code} {errors}")
    print("lost:", sorted(set(soak.lost)))
    is_good = is_right and code == 0 and not soak.lost and last[0] < first[0] + GROWTH and last[1] <= first[1]
    return 0 if is_good and last[2] <= first[2] else 1


if __name__ == "__main__":
    sys.exit(main())
