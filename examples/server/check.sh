#!/usr/bin/env bash
# Starts the server on free ports, asks it by ask.py and ask.sh, and checks what they print.
#
#   check.sh [SERVER]      the program; tessera_serve by default
set -euo pipefail
cd "$(dirname "$0")"
addresses=$(mktemp)
"${1:-tessera_serve}" --grpc-port 0 --http-port 0 >"$addresses" &
server=$!
trap 'kill "$server"; rm "$addresses"' EXIT
for _ in $(seq 100); do
  [[ $(wc -l <"$addresses") == 2 ]] && break
  sleep 0.1
done
grpc=$(sed -n 's/^gRPC on //p' "$addresses")
http=$(sed -n 's|^HTTP on \(.*\)/$|\1|p' "$addresses")
diff output.txt <(/usr/bin/python3 ask.py "$grpc"; ./ask.sh "$http")
