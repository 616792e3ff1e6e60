#!/bin/sh
# Writes the Python package tessera_proto: the messages and the gRPC stubs of .proto files in the current folder.
#
#   python_protos.sh PROTOC GRPC_PYTHON_PLUGIN FOLDER PROTO...
set -eu
protoc=$1 plugin=$2 folder=$3
shift 3
rm -rf "$folder" "$folder.generated"
mkdir -p "$folder" "$folder.generated"
"$protoc" --plugin=protoc-gen-grpc="$plugin" -I . --python_out="$folder.generated" --grpc_out="$folder.generated" "$@"
for file in "$folder.generated"/tessera/proto/*.py; do
  case $file in
    *_pb2_grpc.py) grep -q 'add_LayoutServiceServicer_to_server' "$file" || continue ;;
  esac
  # The name tessera belongs to another package.
  sed -E 's/^from tessera\.proto([. ])/from tessera_proto\1/' "$file" >"$folder/${file##*/}"
done
rm -rf "$folder.generated"
cat >"$folder/__init__.py" <<'END'
"""The messages of Tessera's service, and the stubs to ask it over gRPC.

    import grpc
    from tessera_proto import layout_service_pb2 as messages
    from tessera_proto import layout_service_rpc_pb2_grpc as service

    stub = service.LayoutServiceStub(grpc.insecure_channel("127.0.0.1:50051"))
    question = messages.LinearizeRequest(layout="f32[3,5]{1,0:T(2,2)}", indices=[2, 3])
    stub.Ask(messages.Request(linearize=question)).linearize.linear_indices  # [17]
"""
END
