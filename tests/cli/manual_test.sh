#!/usr/bin/env bash
# The man pages and completions that tessera_manual writes: bash completes by them, and what reads the others takes them.
set -euo pipefail
manual=$1
folder=$TEST_TMPDIR/manual
"$manual" "$folder"
failures=0

completes() {  # completes EXPECTED WORD...: what bash proposes for the last word.
  local expected=$1
  shift
  local found
  found=$(
    source "$folder/bash/tessera"
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _tessera
    echo "${COMPREPLY[*]:-}"
  )
  if [[ $found != "$expected" ]]; then
    echo "FAILED: $*: expected '$expected', found '$found'"
    failures=$((failures + 1))
  fi
}

completes "describe draw" tessera d
completes "hlo" tessera hl
completes "peak" tessera hlo pe
completes "report instructions peak map diff passes check explain vmem cat" tessera hlo ""
completes "--top --target" tessera hlo peak --t
completes "--top" tessera hlo peak dump.txt --to
completes "text json csv" tessera hlo peak dump.txt --format ""
completes "json" tessera hlo peak --format = j
completes "text json csv" tessera hlo peak --format =
completes "tpu" tessera hlo peak --target t
completes "" tessera hlo peak dump
# A subcommand of a group is not the subcommand of that name.
completes "--lenient" tessera index --len
completes "" tessera tt index --len
completes "--help" tessera --h

[[ -s $folder/man1/tessera.1 && -s $folder/man1/tessera-hlo-peak.1 && -s $folder/man1/tessera-serve.1 ]]
for check in "bash -n $folder/bash/tessera" "zsh -n $folder/zsh/_tessera" "fish -n $folder/fish/tessera.fish"; do
  if ! $check; then
    echo "FAILED: $check"
    failures=$((failures + 1))
  fi
done
complaints=$(groff -man -Tutf8 -ww -z "$folder"/man1/*.1 2>&1)
if [[ -n $complaints ]]; then
  echo "FAILED: groff: $complaints"
  failures=$((failures + 1))
fi
((failures == 0))
