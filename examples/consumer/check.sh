#!/usr/bin/env bash
# Builds a program of another workspace against Tessera and checks what it prints and what it links.
#
#   examples/consumer/check.sh
set -euo pipefail
cd "$(dirname "$0")"
bazelw=../../bazelw

printed=$("$bazelw" run --noshow_progress //:consumer 2>/dev/null)
if [[ $printed != 17 ]]; then
  echo "the consumer printed '$printed' instead of 17" >&2
  exit 1
fi

# Abseil and protobuf, and nothing of CLI, JSON, gRPC or HTTP.
repositories=$("$bazelw" query --noshow_progress 'deps(//:consumer)' 2>/dev/null |
  sed -n 's|^@\([a-z_0-9]*\)//.*|\1|p' | sort -u)
unwanted=$(grep -E 'cli11|json|grpc|http|benchmark|googletest' <<<"$repositories" || true)
libraries=$(ldd bazel-bin/consumer | awk '{ print $1 }')
unwanted+=$(grep -vE '^(linux-vdso|/lib64/ld-linux|libabsl_|libprotobuf|libc\.|libm\.|libstdc\+\+|libgcc_s|libz\.)' <<<"$libraries" || true)
if [[ -n $unwanted ]]; then
  echo "the consumer brings in: $unwanted" >&2
  exit 1
fi

# What is not public is out of reach.
if refused=$("$bazelw" build --noshow_progress --nobuild //internals:reaches_internals 2>&1); then
  echo "the consumer can depend on //base/math" >&2
  exit 1
fi
if ! grep -q "'@tessera//base/math:math' is not visible" <<<"$refused"; then
  echo "the consumer is not refused for visibility: $refused" >&2
  exit 1
fi
