#!/usr/bin/env bash
# Runs every task, and compares what they print with output.txt. Run with UPDATE=1 to print what that should be.
set -euo pipefail

here=examples/tasks
dump=tests/hlo/data/tpu_backbone.hlo
run() {  # run TASK ARGUMENT...
  echo "$ $*"
  "$here/$1" "${@:2}"
}
run_all() {
  run padding
  run positions
  run free_reshape
  run tile_on_threads
  run large_copies "$dump"
  run peak "$dump"
  run cute_layouts
  run core_of_element
  run picture | grep -o "^\$.*\|<title>[^<]*</title>" | sed -n 1,3p
  run proto_and_back
}

if [[ -n ${UPDATE:-} ]]; then
  run_all
else
  run_all | diff "$here/output.txt" -
fi
