#!/usr/bin/env bash
# Runs every `$ ...` line of the README's console blocks and compares what it
# prints with the lines that follow. (Its C++ is that of examples/consumer, which
# examples/consumer/check.sh makes sure of.)
set -uo pipefail

readme=README.md
failures=0
commands=0

tessera() { cli/tessera "$@"; }
export -f tessera

# check COMMAND EXPECTED
check() {
  local got
  got=$(bash -c "$1" 2>&1)
  commands=$((commands + 1))
  if [[ $got != "$2" ]]; then
    printf 'README: $ %s\n--- expected\n%s\n--- printed\n%s\n' "$1" "$2" "$got"
    failures=$((failures + 1))
  fi
}

in_block=false
command=""
expected=""
while IFS= read -r line; do
  if [[ $line == '```console' ]]; then
    in_block=true
  elif $in_block && [[ $line == '$ '* || $line == '```' ]]; then
    [[ -z $command ]] || check "$command" "${expected%$'\n'}"
    command=""
    expected=""
    if [[ $line == '```' ]]; then in_block=false; else command=${line#\$ }; fi
  elif $in_block; then
    expected+="$line"$'\n'
  fi
done <"$readme"

if ((commands < 5)); then
  echo "only $commands commands were found in $readme"
  failures=$((failures + 1))
fi

exit $((failures > 0))
