#!/usr/bin/env python3
"""How long a cheap question waits while four clients ask the worst of anything.

    load.py [TESSERA_SERVE] [--seconds=8] [--jobs=0] [--check]

Prints a row for each attack: the latency of the cheap question at the client, and the longest that any question waited for a
thread of the quick ones. With --check it fails if the p99 exceeds 50 ms, above that of the idle server, or an answer is lost.
"""

import json
import sys
import threading
import time

from attack import (
    CHEAP,
    LONG_VALUES,
    PICTURE,
    Server,
    call_chain,
    http2_call,
    http2_opening,
    http_request,
    large_module,
    percentile,
    proto_batch,
)

GOAL = 0.050
CLIENTS = 4


def attacks():
    """The worst of each kind, by name: the path and the body, or None for an attack that is not a request."""
    module = large_module(150000)
    chain = call_chain(60000)
    layout = "f32[1000,1000]{1,0:T(8,128)(2,1)}"
    tiles = {"from": "f32[1021,1019]{1,0:T(*,13)(7,3)}", "to": "f32[1021,1019]{0,1:T(*,11)(5,3)}"}
    padding = {"padding": {"layout": "f32[1000,1001,1001]{2,1,0:T(8,128)}", "max_ranges": 1}}
    yield "picture", "/v1/ask", PICTURE
    yield "compare", "/v1/ask", {"compare": tiles}
    yield "half a million positions", "/v1/ask", {"delinearize": {"layout": layout, "linear_indices": list(range(1 << 19))}}
    yield "peak of 9 MB", "/v1/ask", {"peak": {"hlo": module}}
    yield "peak of a chain of calls", "/v1/ask", {"peak": {"hlo": chain, "map": True, "series": True, "rows": 4096}}
    yield "diff of 16 MB", "/v1/ask", {"diff": {"before": module[: 7 << 20], "after": module[: 7 << 20]}}
    yield "summary of 9 MB", "/v1/ask", {"summarize": {"hlo": module, "rows": 4096}}
    yield "batch of pictures", "/v1/batch", {"requests": [PICTURE] * 4096}
    yield "batch of padding", "/v1/batch", {"requests": [padding] * 4096}
    yield "batch of comparisons", "/v1/batch", {"requests": [{"compare": tiles}] * 4096}
    yield "gRPC batch of pictures", None, proto_batch([PICTURE] * 4096)
    yield "gRPC batches that nobody reads", None, proto_batch([LONG_VALUES] * 1900)


class Attack:
    """Clients that repeat one request, each on a connection of its own, until they are stopped."""

    def __init__(self, server, path, body):
        self.server, self.path = server, path
        self.body = json.dumps(body).encode() if isinstance(body, dict) else body
        self.is_stopped = False
        self.done = self.lost = 0
        self.threads = [threading.Thread(target=self.run) for _ in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def run(self):
        while not self.is_stopped:
            try:
                if self.path:
                    status, _ = self.server.post(self.path, self.body, 120)
                    self.lost += status not in (200, 400, 413, 422, 503, 504)
                else:
                    self.call_grpc()
                self.done += 1
            except OSError:
                self.lost += 1

    def call_grpc(self):
        """Eight batches whose answers are not taken."""
        with self.server.connect(port=self.server.grpc_port) as connection:
            connection.sendall(http2_opening(0))
            for i in range(8):
                connection.sendall(http2_call(1 + 2 * i, "AskBatch", self.body))
            end = time.time() + 5
            while time.time() < end and not self.is_stopped:
                time.sleep(0.05)

    def stop(self):
        self.is_stopped = True
        for thread in self.threads:
            thread.join()


def cheap_latencies(server, seconds):
    """Latencies on one connection that is kept, and how many answers were wrong."""
    latencies, wrong = [], 0
    request = http_request("/v1/ask", CHEAP)
    end = time.time() + seconds
    with server.connect(120) as connection:
        while time.time() < end:
            start = time.time()
            connection.sendall(request)
            answer = b""
            while b'"linear_indices":[17]' not in answer:
                part = connection.recv(65536)
                answer += part
                if not part or b"error" in answer:
                    wrong += 1
                    break
            latencies.append(time.time() - start)
            time.sleep(0.01)
    return latencies, wrong


def main():
    options = dict(argument[2:].split("=") for argument in sys.argv[1:] if argument.startswith("--") and "=" in argument)
    programs = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    program = programs[0] if programs else "bazel-bin/cli/tessera_serve"
    seconds = float(options.get("seconds", 8))
    is_good = True

    def milliseconds(latency):
        return f"{latency * 1e3:8.1f}"

    with Server(program, f"--jobs={options.get('jobs', 0)}") as server:
        idle, _ = cheap_latencies(server, seconds)
        goal = GOAL + percentile(idle, 0.5)
        print(f"{'ms':32} {'asked':>6} {'p50':>8} {'p99':>8} {'longest':>8}  attacks")
        print(f"{'idle':32} {len(idle):6} {milliseconds(percentile(idle, 0.5))} {milliseconds(percentile(idle, 0.99))}", end=" ")
        print(milliseconds(max(idle)))
        for name, path, body in attacks():
            attack = Attack(server, path, body)
            time.sleep(1)
            latencies, wrong = cheap_latencies(server, seconds)
            attack.stop()
            p99 = percentile(latencies, 0.99)
            is_good &= p99 <= goal and not wrong and not attack.lost
            print(
                f"{name:32} {len(latencies):6} {milliseconds(percentile(latencies, 0.5))} {milliseconds(p99)} "
                f"{milliseconds(max(latencies))}  {attack.done} done, {attack.lost} lost, {wrong} wrong, "
                f"{server.resident_bytes() >> 20} MB",
                flush=True,
            )
        is_good &= server.answers()
        code, errors = server.end()
        print(f"exit code {code} {errors}")
        is_good &= code == 0
    return 1 if "--check" in sys.argv and not is_good else 0


if __name__ == "__main__":
    sys.exit(main())
