#!/usr/bin/env bash
# Fuzzes every property for so many hours in all, or those that are named, and
# reports executions and coverage.
#
#   tests/fuzz/run.sh HOURS [PROPERTY...]     tests/fuzz/run.sh 0.05
#
# Corpora grow in $TESSERA_FUZZ_CORPORA, or build/fuzz, and are merged at the
# end: files that add no coverage go. What broke a property lies there too, as
# crash-*, and belongs in tests/fuzz/corpus. Exit status: 1 if something broke.
set -euo pipefail
cd "$(dirname "$0")/../.."
hours=$1
shift
corpora=${TESSERA_FUZZ_CORPORA:-build/fuzz}

properties=("$@")
(($#)) || mapfile -t properties < <(ls tests/fuzz/corpus; echo python)
nice -n 10 ./bazelw build --config=fuzz --noshow_progress //tests/fuzz:fuzzer
# The next build may move bazel-bin.
fuzzer=$(realpath bazel-bin/tests/fuzz/fuzzer)
if [[ " ${properties[*]} " == *" python "* ]]; then
  nice -n 10 ./bazelw build --noshow_progress //python:interpreter
  venv=build/fuzz_venv
  [[ -d $venv ]] || python3 -m venv "$venv"
  # There are wheels for some versions of Python only, and the interpreter is Debian's.
  "$venv/bin/pip" install -q --disable-pip-version-check atheris==3.0.0
fi
seconds=$(awk "BEGIN { print int($hours * 3600 / ${#properties[@]}) }")

run_fuzzer() {  # run_fuzzer PROPERTY ARGUMENT...
  local name=$1
  shift
  if [[ $name == python ]]; then
    PYTHONPATH=python:$(echo "$venv"/lib/python3*/site-packages) nice -n 15 bazel-bin/python/interpreter tests/fuzz/python_fuzz.py "$@"
  else
    TESSERA_FUZZ=$name nice -n 15 "$fuzzer" -dict="$corpora/$name.dict" "$@" "tests/fuzz/corpus/$name"
  fi
}

fuzz() {  # fuzz PROPERTY: runs it, merges its corpus, prints its line.
  local name=$1 folder=$corpora/$1 broke=
  mkdir -p "$folder"
  [[ $name == python ]] || python3 tests/fuzz/dictionary.py "$name" >"$corpora/$name.dict"
  run_fuzzer "$name" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$corpora/$name-crash-" "$folder" >"$corpora/$name.log" 2>&1 || broke=BROKEN
  # In half of the executions, to see whether the last doubling still found something.
  awk -v name="$name" -v broke="$broke" '
    match($0, /^#[0-9]+/) { n = substr($0, 2, RLENGTH - 1) + 0 }
    match($0, /cov: [0-9]+/) { cov = substr($0, RSTART + 5, RLENGTH - 5); at[++k] = n; of[k] = cov }
    /INITED/ { first = cov }
    match($0, /ft: [0-9]+/) { ft = substr($0, RSTART + 4, RLENGTH - 4) }
    /number_of_executed_units/ { runs = $2 }
    /average_exec_per_sec/ { rate = $2 }
    END {
      if (!runs) runs = n
      for (i = 1; i <= k && at[i] <= runs / 2; ++i) half = of[i]
      printf "%-14s %10d %7d %7d -> %6d %+6.1f %% %8d  %s\n", name, runs, rate, first, cov, half ? 100 * (cov - half) / half : 0, ft, broke
    }' "$corpora/$name.log"
  # Merging takes as long as one pass over the corpus.
  rm -rf "$folder.merged" && mkdir "$folder.merged"
  if run_fuzzer "$name" -merge=1 -timeout=30 "$folder.merged" "$folder" >"$corpora/$name.merge.log" 2>&1; then
    rm -rf "$folder" && mv "$folder.merged" "$folder"
  fi
  [[ -z $broke ]]
}

mkdir -p "$corpora"
echo "property       executions   per s   edges reached   last doubling  features"
status=0
for name in "${properties[@]}"; do
  fuzz "$name" || status=1
done
exit "$status"
