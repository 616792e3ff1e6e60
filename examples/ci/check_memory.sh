#!/bin/sh
# Checks the memory of all scheduled modules in a folder of dumps against a baseline, for a run on a server.
#
#   check_memory.sh DUMPS BASELINE [GROWTH]
#
# DUMPS is the folder that XLA_FLAGS=--xla_dump_to named, BASELINE a file that `tessera hlo check --write-baseline` wrote, and
# GROWTH how much more than there may be reserved: 5% if it is not given. Without a baseline one is written there, but not where CI
# is set, as on GitHub. TESSERA is the
# program, `tessera` if it is not set. The report goes to standard output, and as Markdown to $GITHUB_STEP_SUMMARY if that is
# set. Exits with 1 if a module is over budget or cannot be checked.
set -eu

dumps=$1
baseline=$2
growth=${3:-5%}
tessera=${TESSERA:-tessera}

summary=$(mktemp)
trap 'rm -f "$summary"' EXIT

set -- "$dumps"/*after_optimizations.txt
if [ ! -e "$1" ]; then
  echo "$dumps has no *after_optimizations.txt" >&2
  exit 1
fi

if [ ! -e "$baseline" ]; then
  # A name that is misspelt must not pass for ever.
  if [ -n "${CI:-}" ]; then
    echo "there is no $baseline; run $0 once where CI is not set, and commit what it writes" >&2
    exit 1
  fi
  exec "$tessera" hlo check "$@" --write-baseline="$baseline"
fi

status=0
"$tessera" hlo check "$@" --baseline="$baseline" --max-growth="$growth" --markdown="$summary" || status=$?
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  cat "$summary" >> "$GITHUB_STEP_SUMMARY"
fi
exit "$status"
