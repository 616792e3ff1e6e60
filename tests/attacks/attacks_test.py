"""The attacks of a hostile review that are short, against the server and the command line (docs/reliability.md has the others).

    attacks_test.py TESSERA TESSERA_SERVE
"""

import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from attack import (
    CHEAP,
    LONG_VALUES,
    PICTURE,
    Server,
    http2_call,
    http2_frame,
    http2_opening,
    http_request,
    proto_batch,
    proto_bytes,
    proto_request,
    read_all,
)

TESSERA, SERVER = sys.argv[1:3] if len(sys.argv) > 2 else ("cli/tessera", "cli/tessera_serve")
BATCH_OF_PICTURES = {"requests": [PICTURE] * 4096}
MEGABYTE = 1 << 20
with open(SERVER, "rb") as program:
    # AddressSanitizer takes memory of its own, and keeps what is freed. UndefinedBehaviorSanitizer takes files: without one, its
    # check of a vptr fails.
    without_sanitizer = unittest.skipIf(b"__asan_init" in program.read(), "sanitizers take memory and files")


def limit(name, number):
    return lambda: resource.setrlimit(name, (number, number))


class TransportTest(unittest.TestCase):
    def setUp(self):
        self.server = Server(SERVER, "--jobs=2")
        self.addCleanup(self.server.__exit__)

    def assert_well(self):
        self.assertTrue(self.server.answers())
        code, errors = self.server.end()
        self.assertEqual((code, errors), (0, ""))

    @without_sanitizer
    def test_2_answers_that_nobody_reads_have_a_limit(self):
        batch = proto_batch([LONG_VALUES] * 1900)
        start = self.server.resident_bytes()
        connections = []
        for _ in range(4):
            connection = self.server.connect(port=self.server.grpc_port)
            connection.sendall(http2_opening(0))
            for i in range(8):
                connection.sendall(http2_call(1 + 2 * i, "AskBatch", batch))
            connections.append(connection)
        most = 0
        for _ in range(60):
            time.sleep(0.1)
            most = max(most, self.server.resident_bytes())
        # 1.8 GB without a limit. unread_bytes are 256 MiB, and two batches more are being answered.
        self.assertLess(most - start, 900 * MEGABYTE)
        for connection in connections:
            connection.close()
        # Until gRPC has noticed, it refuses.
        end = time.time() + 20
        while not self.server.answers() and time.time() < end:
            time.sleep(0.2)
        self.assert_well()

    def test_3_a_batch_computes_no_answers_that_are_thrown_away(self):
        before = self.server.processor_seconds()
        status, content = self.server.post("/v1/batch", BATCH_OF_PICTURES, 120)
        self.assertEqual(status, 200)
        responses = json.loads(content)["responses"]
        self.assertEqual(len(responses), 4096)
        self.assertIn("batch_answer_bytes", responses[-1]["error"]["message"])
        # 9 s without the limit on what is computed.
        self.assertLess(self.server.processor_seconds() - before, 4)
        self.assert_well()

    def test_3_batches_do_not_delay_a_cheap_question(self):
        batch = {"requests": [{"padding": {"layout": "f32[1000,1001,1001]{2,1,0:T(8,128)}", "max_ranges": 1}}] * 4096}
        body = http_request("/v1/batch", batch)
        connections = [self.server.connect() for _ in range(6)]
        for connection in connections:
            connection.sendall(body)
        time.sleep(0.5)
        # Without turns it waits until three of six batches have ended: a second and more each.
        latencies = []
        for _ in range(20):
            start = time.time()
            self.server.ask(CHEAP)
            latencies.append(time.time() - start)
        self.assertLess(sorted(latencies)[10], 0.5)
        for connection in connections:
            connection.close()
        self.assert_well()

    def test_4_clients_that_read_nothing_are_dropped(self):
        body = http_request("/v1/batch", {"requests": [LONG_VALUES] * 100})
        connections = []
        for _ in range(100):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            connection.connect(("127.0.0.1", self.server.http_port))
            try:
                connection.sendall(body)
            except OSError:
                pass
            connections.append(connection)
        start = time.time()
        self.assertTrue(self.server.answers())
        self.assertEqual(self.server.get("/healthz"), (200, b"ok\n"))
        # 20 s and more without the shorter timeout.
        self.assertLess(time.time() - start, 15)
        for connection in connections:
            connection.close()
        self.assert_well()

    def test_7_nothing_is_computed_for_a_client_that_has_gone(self):
        batch = {"requests": [{"padding": {"layout": "f32[1000,1001,1001]{2,1,0:T(8,128)}", "max_ranges": 1}}] * 4096}
        connection = self.server.connect()
        connection.sendall(http_request("/v1/batch", batch))
        time.sleep(0.3)
        connection.close()
        time.sleep(2)
        before = self.server.processor_seconds()
        time.sleep(2)
        self.assertLess(self.server.processor_seconds() - before, 0.5)
        self.assert_well()

    @without_sanitizer
    def test_13_memory_is_given_back(self):
        start = self.server.resident_bytes()
        body = http_request("/v1/batch", {"requests": [LONG_VALUES] * 1000})
        connections = [self.server.connect() for _ in range(12)]
        threads = [threading.Thread(target=read_all, args=(connection,)) for connection in connections]
        for connection, thread in zip(connections, threads):
            connection.sendall(body)
            thread.start()
        time.sleep(5)
        for connection in connections:
            connection.shutdown(socket.SHUT_RDWR)
        for connection, thread in zip(connections, threads):
            thread.join()
            connection.close()
        self.assertGreater(self.server.resident_bytes(), start)
        for _ in range(60):
            time.sleep(1)
            if self.server.resident_bytes() - start < 50 * MEGABYTE:
                break
        self.assertLess(self.server.resident_bytes() - start, 50 * MEGABYTE)
        self.assert_well()

    def test_14_what_an_answer_says_of_its_connection_holds(self):
        for request, closes in (
            (b"GET /nope HTTP/1.1\r\nHost: localhost\r\n\r\n", False),
            (b"GET / HTTP/1.1\r\nHost: attacker.example\r\n\r\n", False),
            (b"PUT /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n12345", True),
            (b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", True),
            (b"nonsense\r\n\r\n", True),
            (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n12345", True),
            (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", True),
        ):
            with self.subTest(request=request), self.server.connect(5) as connection:
                connection.sendall(request)
                answer = read_all(connection) if closes else connection.recv(65536)
                head, _, body = answer.partition(b"\r\n\r\n")
                head = head.lower()
                self.assertEqual(b"connection: close" in head, closes)
                self.assertEqual(b"keep-alive:" in head, not closes)
                if closes:
                    self.assertIn(b"content-length: %d\r\n" % len(body), head + b"\r\n")
                else:
                    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    self.assertTrue(read_all(connection).endswith(b"ok\n"))
        self.assert_well()

    def test_15_16_heads_that_two_servers_could_read_in_two_ways(self):
        ask = "POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n{}\r\n{{}}"
        for head, status in (
            ("GET /" + "x" * 5000 + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
            ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + "x" * 5000 + "\r\n\r\n", 431),
            (ask.format("Transfer-Encoding : chunked\r\n"), 400),
            (ask.format(" folded: yes\r\n"), 400),
            (ask.format("no colon\r\n"), 400),
            (ask.format("Origin:\r\n"), 400),
            (ask.format("Origin: http://localhos%74\r\n"), 400),
            (ask.format("X: a\0b\r\n"), 400),
            (ask.format("Content-Type: text/plain\r\n"), 415),
            (ask.replace("/json", "/json; charset=utf-16").format(""), 415),
            (ask.replace("/json", "/json; charset=UTF-8").format(""), 400),  # a request without a question
            (ask.replace("Length: 2", "Length: +2").format(""), 411),
            (ask.replace("Length: 2", "Length: 0x2").format(""), 411),
            (ask.replace("Host: localhost", "Host: localhos%74").format(""), 400),
            (ask.replace("Host: localhost", "Host: localhost\0.example").format(""), 400),
        ):
            with self.subTest(head=head[:160]):
                answer = self.server.raw(head.encode(), 5)
                self.assertEqual(answer[:12], f"HTTP/1.1 {status}".encode())
        self.assert_well()

    def test_19_a_message_that_is_none_is_an_invalid_argument(self):
        for message in (b"\xff" * 1000, b"\x0b" * 100000, proto_bytes(1, b"\xff\xfe\xfd")):
            with self.server.connect(5, self.server.grpc_port) as connection:
                connection.sendall(http2_opening(1 << 20) + http2_call(1, "Ask", message))
                answer = b""
                while b"grpc-status\x013" not in answer and (part := connection.recv(65536)):
                    answer += part
                self.assertIn(b"grpc-status\x013", answer)
        # libprotobuf would write a line.
        self.assert_well()

    @without_sanitizer
    def test_9_heads_that_cost_much_are_cut(self):
        # RFC 7541, a string of 256 MiB that never ends, in frames of CONTINUATION.
        start = self.server.resident_bytes()
        with self.server.connect(20, self.server.grpc_port) as connection:
            connection.sendall(http2_opening(0) + http2_frame(1, 0, 1, b"\0\x05x-big\x7f\x81\xff\xff\x7f"))
            try:
                for _ in range(64):
                    connection.sendall(http2_frame(9, 0, 1, b"z" * 16384))
            except OSError:
                pass
            self.assertTrue(self.server.answers())
        self.assertLess(self.server.resident_bytes() - start, 100 * MEGABYTE)
        self.assert_well()

    def test_readiness_metrics_and_methods(self):
        self.assertEqual(self.server.get("/readyz"), (200, b"ok\n"))
        self.server.ask(CHEAP)
        self.server.ask({"parse": {"text": "f32["}})
        numbers = self.server.metrics()
        self.assertEqual(numbers['tessera_requests_total{transport="http",code="INVALID_ARGUMENT"}'], 1)
        self.assertEqual(numbers['tessera_wait_seconds_bucket{le="+Inf"}'], numbers["tessera_wait_seconds_count"])
        self.assertGreater(numbers["process_resident_memory_bytes"], MEGABYTE)
        self.assertEqual(numbers["tessera_requests_waiting"], 0)
        self.assertTrue(self.server.raw(http_request("/metrics", b"{}"), 5).startswith(b"HTTP/1.1 405"))
        self.assert_well()

    def test_a_thousand_clients_of_whom_half_die_lose_nothing(self):
        request = http_request("/v1/ask", CHEAP, "Connection: close\r\n")
        lost, refused = [], []

        def ask(number):
            for _ in range(20):
                try:
                    with self.server.connect(60) as connection:
                        if number % 2:
                            connection.sendall(request[: number % len(request)])
                            return
                        connection.sendall(request)
                        answer = read_all(connection)
                except OSError:
                    # More connections than may wait: refused at once, perhaps by a reset.
                    answer = b""
                if b'"linear_indices":[17]' in answer:
                    return
                if answer and not answer.startswith(b"HTTP/1.1 503"):
                    break
                refused.append(number)
                time.sleep(0.2)
            lost.append(number)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(1000)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(lost, [])
        self.assert_well()


class ProcessTest(unittest.TestCase):
    @without_sanitizer
    def test_1_more_connections_than_files(self):
        with Server(SERVER, prepare=limit(resource.RLIMIT_NOFILE, 128)) as server:
            for port in (server.grpc_port, server.http_port):
                connections = [server.connect(port=port) for _ in range(120)]
                time.sleep(1)
                for connection in connections:
                    connection.close()
            end = time.time() + 20
            while not server.answers() and time.time() < end:
                time.sleep(0.2)
            self.assertTrue(server.answers())
            self.assertEqual(server.end()[0], 0)

    def test_17_addresses_that_nobody_can_learn(self):
        with open("/dev/full", "wb") as full:
            process = subprocess.run(
                [SERVER, "--grpc-port=0", "--http-port=0"], stdout=full, stderr=subprocess.PIPE, timeout=60
            )
        self.assertEqual(process.returncode, 1)
        self.assertIn(b"the addresses cannot be written to standard output", process.stderr)

    def test_18_an_array_that_is_not_taken_whole(self):
        with tempfile.NamedTemporaryFile() as array:
            array.truncate(64 * MEGABYTE)
            shape = "u8[8192,8192]"
            process = subprocess.Popen(
                [TESSERA, "relayout", "--from", shape, "--to", shape + "{0,1}", array.name, "-"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            process.stdout.read(10)
            process.stdout.close()
            errors = process.stderr.read()
            process.stderr.close()
            self.assertEqual(process.wait(), 1)
        self.assertIn(b"does not take the whole array", errors)

    @without_sanitizer
    def test_21_little_memory_and_few_threads(self):
        prepares = [limit(resource.RLIMIT_AS, megabytes * MEGABYTE) for megabytes in (50, 200, 400, 1000)]
        for prepare in prepares:
            process = subprocess.Popen(
                [SERVER, "--grpc-port=0", "--http-port=0"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                preexec_fn=prepare,
                env={"MALLOC_ARENA_MAX": "1"},
            )
            if process.stdout.readline():
                process.terminate()
            _, errors = process.communicate(timeout=60)
            self.assertIn(process.returncode, (0, 1), errors)
            if process.returncode:
                self.assertIn(b"error: ", errors)

    def test_23_many_wrong_lines(self):
        lines = b"(\n" * 300000
        start = time.time()
        process = subprocess.run([TESSERA, "cute", "-"], input=lines, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(process.returncode, 1)
        self.assertLess(time.time() - start, 60)

    def test_an_access_log(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "access.log")
            with Server(SERVER, "--access-log=" + log) as server:
                server.ask(CHEAP)
                server.get('/no"thing')
                self.assertTrue(server.grpc_answers())
                self.assertEqual(server.end(), (0, ""))
            with open(log) as file:
                lines = [json.loads(line) for line in file]
        self.assertEqual([line["transport"] for line in lines], ["http", "http", "grpc"])
        self.assertEqual([line["status"] for line in lines], [200, 404, 0])
        self.assertEqual([line["code"] for line in lines], ["OK", "NOT_FOUND", "OK"])
        self.assertEqual(lines[0]["path"], "/v1/ask")
        self.assertEqual(lines[1]["path"], '/no"thing')
        self.assertEqual(lines[2]["path"], "/tessera.rpc.LayoutService/Ask")
        self.assertTrue(lines[0]["client"].startswith("127.0.0.1:"))

    def test_a_host_that_others_reach(self):
        with Server(SERVER, "--host=0.0.0.0") as server:
            code, errors = server.end()
            self.assertEqual(code, 0)
            self.assertIn("other machines may reach 0.0.0.0, without encryption or authentication", errors)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
