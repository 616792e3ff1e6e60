"""Asks `tessera serve` as a Python program does: Debian's grpcio, generated stubs.

    python_client_test.py cli/tessera
"""

import os
import signal
import subprocess
import sys
import unittest
import urllib.request

import grpc

from proto import layout_service_pb2 as messages
from proto import layout_service_rpc_pb2 as rpc
from proto import layout_service_rpc_pb2_grpc as service

PROGRAM = sys.argv.pop(1)
NO_PROXY = (('grpc.enable_http_proxy', 0),)
TIMEOUT = 60


def linearize(id):
    return messages.Request(
        id=id,
        linearize=messages.LinearizeRequest(
            layout='f32[3,5]{1,0:T(2,2)}', indices=[2, 3, 0, 0]))


class PythonClientTest(unittest.TestCase):

    def setUp(self):
        self.server = subprocess.Popen(
            [PROGRAM, 'serve', '--grpc-port=0', '--http-port=0'],
            stdout=subprocess.PIPE, text=True)
        self.grpc_address = self.server.stdout.readline().split()[-1]
        self.http_address = self.server.stdout.readline().split()[-1]
        self.channel = grpc.insecure_channel(self.grpc_address, NO_PROXY)
        self.stub = service.LayoutServiceStub(self.channel)

    def tearDown(self):
        self.channel.close()
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(TIMEOUT), 0)
        self.server.stdout.close()

    def raw_call(self, kind, path):
        """A call of a service without stubs: bytes in, bytes out."""
        return kind(path, request_serializer=None, response_deserializer=None)

    def test_single_requests(self):
        response = self.stub.Ask(linearize('7'), timeout=TIMEOUT)
        self.assertEqual(response.id, '7')
        self.assertEqual(list(response.linearize.linear_indices), [17, 0])
        with self.assertRaises(grpc.RpcError) as raised:
            self.stub.Ask(messages.Request(parse=messages.ParseRequest(text='f32[2,')), timeout=TIMEOUT)
        error = raised.exception
        self.assertEqual(error.code(), grpc.StatusCode.INVALID_ARGUMENT)
        self.assertEqual(error.details(), "in dimensions: expected a size, '?' or '<=', found end of text")
        status = rpc.Status.FromString(dict(error.trailing_metadata())['grpc-status-details-bin'])
        detail = messages.Error()
        self.assertTrue(status.details[0].Unpack(detail))
        self.assertEqual(detail.position.column, 7)

    def test_a_batch(self):
        batch = messages.BatchRequest(requests=[linearize('1'), messages.Request(), linearize('3')])
        responses = self.stub.AskBatch(batch, timeout=TIMEOUT).responses
        self.assertEqual([r.WhichOneof('result') for r in responses],
                         ['linearize', 'error', 'linearize'])
        self.assertEqual(responses[2].id, '3')

    def test_a_stream(self):
        requests = (linearize(str(i)) for i in range(1000))
        answers = self.stub.AskStream(requests, timeout=TIMEOUT)
        self.assertEqual([r.id for r in answers], [str(i) for i in range(1000)])

    def test_health(self):
        check = self.raw_call(self.channel.unary_unary, '/grpc.health.v1.Health/Check')
        serving = b'\x08\x01'
        self.assertEqual(check(b'', timeout=TIMEOUT), serving)
        name = b'tessera.rpc.LayoutService'
        self.assertEqual(check(bytes([10, len(name)]) + name, timeout=TIMEOUT), serving)

    def test_reflection(self):
        info = self.raw_call(
            self.channel.stream_stream,
            '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo')
        list_services = b'\x3a\x00'
        symbol = b'tessera.rpc.LayoutService'
        file_of_symbol = bytes([0x22, len(symbol)]) + symbol
        services, file = info(iter([list_services, file_of_symbol]), timeout=TIMEOUT)
        self.assertIn(b'tessera.rpc.LayoutService', services)
        self.assertIn(b'grpc.health.v1.Health', services)
        self.assertIn(b'proto/layout_service_rpc.proto', file)
        self.assertIn(b'AskStream', file)

    def test_a_deadline(self):
        with self.assertRaises(grpc.RpcError) as raised:
            self.stub.Ask(linearize('1'), timeout=-1)
        self.assertEqual(raised.exception.code(), grpc.StatusCode.DEADLINE_EXCEEDED)

    def test_a_message_that_is_too_large(self):
        request = messages.Request(parse=messages.ParseRequest(text='x' * (17 << 20)))
        with self.assertRaises(grpc.RpcError) as raised:
            self.stub.Ask(request, timeout=TIMEOUT)
        self.assertEqual(raised.exception.code(), grpc.StatusCode.RESOURCE_EXHAUSTED)
        self.test_single_requests()

    def test_a_client_that_is_killed(self):
        # It says that a stream of it is under way, and goes on with that until it dies.
        client = subprocess.Popen(
            [sys.executable, '-c', '''
import grpc, itertools, sys
from proto import layout_service_pb2 as messages
from proto import layout_service_rpc_pb2_grpc as service
channel = grpc.insecure_channel(sys.argv[1], (('grpc.enable_http_proxy', 0),))
request = messages.Request(parse=messages.ParseRequest(text='f32[2]'))
for response in service.LayoutServiceStub(channel).AskStream(itertools.repeat(request)):
    print('.', flush=True)
''', self.grpc_address], stdout=subprocess.PIPE)
        self.assertEqual(client.stdout.readline(), b'.\n')
        client.kill()
        client.wait(TIMEOUT)
        client.stdout.close()
        self.test_single_requests()

    def test_http(self):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        request = urllib.request.Request(
            self.http_address + 'v1/ask', b'{"id":"7","parse":{"text":"f32[2]"}}',
            {'Content-Type': 'application/json'})
        with opener.open(request, timeout=TIMEOUT) as response:
            self.assertEqual(
                response.read(),
                b'{"id":"7","parse":{"kind":"XLA_SHAPE","canonical":"f32[2]{0}","form":"array","shape":null}}\n')


if __name__ == '__main__':
    unittest.main()
