#!/usr/bin/env bash
# Runs the tests under sanitizers, one build after the other, and lists what
# failed: AddressSanitizer and UndefinedBehaviorSanitizer for every test,
# ThreadSanitizer for those of programs with threads. The first run compiles
# everything twice and takes hours; later ones take what has changed.
#
#   tests/sanitizers.sh                            both
#   tests/sanitizers.sh address //tests/cute:all   one, of some tests
#   tests/sanitizers.sh thread
#
# JOBS=1 leaves a processor to others. Exit status: 1 if a test failed.
set -uo pipefail
cd "$(dirname "$0")/.."

# Transports, questions, batches and --jobs, parallel reading, shared maps. Two
# programs that mostly test calls of gRPC are left out: the calls synchronize
# inside of Debian's library, which ThreadSanitizer does not see.
threaded=(
  //tests/service/... //tests/cli:tests //tests/hlo:tests //tests/hlo:dump_folder_test //tests/index_map:tests
  -//tests/service/transport:grpc_transport_test -//tests/service/transport:python_client_test
)

run() {  # run NAME CONFIGS TARGET...
  local name=$1 configs=$2 log
  shift 2
  log=$(mktemp)
  # shellcheck disable=SC2086
  nice -n 10 ./bazelw test $configs ${JOBS:+--jobs=$JOBS} --keep_going --noshow_progress --test_output=errors -- "$@" 2>&1 |
    tee "$log"
  echo "$name: $(grep -cE '^//.* PASSED in' "$log") programs passed, $(grep -cE '^//.* (FAILED|TIMEOUT)' "$log") failed," \
    "$(grep -cE 'ERROR: AddressSanitizer|runtime error:|WARNING: ThreadSanitizer|ERROR: LeakSanitizer' "$log") reports"
  ! grep -qE '^//.* (FAILED|TIMEOUT|NO STATUS)|^ERROR: ' "$log"
  local result=$?
  rm -f "$log"
  return $result
}

which=${1:-both}
shift || true
status=0
if [[ $which != thread ]]; then
  targets=("$@")
  # That test lists the libraries that a program loads: sanitizers are among
  # them.
  (($#)) || targets=(//tests/... -//tests/cli:fast_start_test)
  run "address and undefined" "--config=asan --config=ubsan" "${targets[@]}" || status=1
fi
if [[ $which != address ]]; then
  targets=("$@")
  (($#)) || targets=("${threaded[@]}")
  options=halt_on_error=1:second_deadlock_stack=1:suppressions=$PWD/tests/tsan_suppressions.txt
  run thread "--config=tsan --test_env=TSAN_OPTIONS=$options" "${targets[@]}" || status=1
fi
exit $status
