"""Asks the server three questions over gRPC, and a wrong one.

    apt-get install python3-grpcio python3-tessera-proto
    python3 ask.py [ADDRESS]
"""

import sys

import grpc
from tessera_proto import layout_service_pb2 as messages
from tessera_proto import layout_service_rpc_pb2 as rpc
from tessera_proto import layout_service_rpc_pb2_grpc as service

LAYOUT = "f32[3,5]{1,0:T(2,2)}"
HLO = """HloModule m, is_scheduled=true
ENTRY e {
  p = f32[3,5]{1,0:T(8,128)} parameter(0)
  ROOT n = f32[3,5]{1,0:T(8,128)} negate(p)
}
"""

address = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051"
stub = service.LayoutServiceStub(grpc.insecure_channel(address, [("grpc.enable_http_proxy", 0)]))


def ask(**question):
    return stub.Ask(messages.Request(**question), timeout=10)


answer = ask(linearize=messages.LinearizeRequest(layout=LAYOUT, indices=[2, 3]))
print("position", answer.linearize.linear_indices[0])

answer = ask(describe=messages.DescribeRequest(layout=LAYOUT))
print("bytes", answer.describe.xla.total.padded_bytes)

answer = ask(peak=messages.PeakRequest(hlo=HLO))
print("peak", answer.peak.modules[0].by_memory_space.spaces[0].peak_bytes)

try:
    ask(parse=messages.ParseRequest(text="f32[2,"))
except grpc.RpcError as error:
    print(error.code().name, error.details())
    status = rpc.Status.FromString(dict(error.trailing_metadata())["grpc-status-details-bin"])
    detail = messages.Error()
    status.details[0].Unpack(detail)
    print("column", detail.position.column)
