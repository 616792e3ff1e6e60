#!/usr/bin/env bash
# The man pages and completions that tessera_manual writes: bash completes by them, and what reads the others takes them.
set -euo pipefail
manual=$1
tessera=$PWD/$2
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
completes "v4 v5e v5p v6e v7x" tessera hlo peak --target v
completes "tpu v4 v5e v5p v6e v7x" tessera describe --target ""
completes "opcode source kind" tessera hlo map --color ""
completes "wormhole_b0 blackhole" tessera tt report --arch ""
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
# Examples run as they are pasted into a shell. They may lack only the files.
mkdir -p "$TEST_TMPDIR/bin" "$TEST_TMPDIR/examples"
cd "$TEST_TMPDIR/examples"
# A server would not end, and other programs may be missing.
printf '#!/bin/sh\n[ "$1" = serve ] || exec %s "$@"\n' "$tessera" >../bin/tessera
printf '#!/bin/sh\necho "%%c = f16[2,128]{1,0} copy(f16[2,128]{0,1} %%p)"\n' | tee ../bin/{python,jq,less,git,curl,gunzip} >/dev/null
chmod +x ../bin/*
PATH=$TEST_TMPDIR/bin:$PATH
{
  echo '#layout = #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xbf16, #tt.memory_space<l1>>>'
  printf '\n%.0s' {2..41}
  echo '%0 = "ttir.empty"() : () -> tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<18x32xf32, #tt.memory_space<l1>>>>'
} >model.mlir
examples=0

runs() {  # runs EXAMPLE...: the lines of one example.
  local errors
  ((++examples))
  errors=$( (IFS=$'\n'; bash -c "$*" 2>&1 >/dev/null </dev/null) || true)
  # Those of a missing file may lead to others, but not to a wrong command line.
  if [[ $errors == *": command not found"* || $errors == *"for usage and examples."* ||
    ($errors == *"error: "* && $errors != *"No such file or directory"*) ]]; then
    printf 'FAILED: %s\n' "$@" "$errors"
    failures=$((failures + 1))
  fi
}

for page in "$folder"/man1/tessera-*.1; do
  words=$(basename "$page" .1)
  words=${words#tessera-}
  lines=()
  while IFS= read -r line; do
    # Further lines of an example are indented more.
    if [[ $line != "   "* && ${#lines[@]} != 0 ]]; then
      runs "${lines[@]}"
      lines=()
    fi
    lines+=("$line")
  done < <(tessera ${words//-/ } --help | sed -n '/^Examples:$/,/^$/{/^  /p}'; echo)
done
if ((examples < 150)); then
  echo "FAILED: only $examples examples were found"
  failures=$((failures + 1))
fi

complaints=$(groff -man -Tutf8 -ww -z "$folder"/man1/*.1 2>&1)
if [[ -n $complaints ]]; then
  echo "FAILED: groff: $complaints"
  failures=$((failures + 1))
fi
((failures == 0))
