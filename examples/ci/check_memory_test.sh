#!/bin/sh
# A module that grew fails, one that did not passes, and a first run writes the baseline.
set -eu

TESSERA=$(pwd)/$1
export TESSERA
script=$(pwd)/$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/dumps"

# A module whose result has so many elements.
dump() {
  cat > "$work/dumps/module_0001.step.gpu_after_optimizations.txt" <<END
HloModule step, is_scheduled=true

ENTRY main {
  x = f32[] parameter(0)
  ROOT y = f32[$1]{0} broadcast(x), dimensions={}
}
END
}

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

GITHUB_STEP_SUMMARY=$work/summary
export GITHUB_STEP_SUMMARY

unset CI
dump 1000
if CI=true "$script" "$work/dumps" "$work/baseline.json" 2> /dev/null; then
  fail "a server has no baseline"
fi
"$script" "$work/dumps" "$work/baseline.json" || fail "the first run"
grep -q '"reserved_bytes":4004' "$work/baseline.json" || fail "the baseline is not written"

"$script" "$work/dumps" "$work/baseline.json" || fail "nothing has grown"
grep -q '1 module is within budget' "$work/summary" || fail "the summary does not say so"

dump 1040
"$script" "$work/dumps" "$work/baseline.json" || fail "it has grown by 4 %"

dump 1100
if "$script" "$work/dumps" "$work/baseline.json" > "$work/report"; then
  fail "it has grown by 10 %"
fi
grep -q '1 of 1 module is over budget' "$work/report" || fail "the report does not say so"
grep -q '| step | .* | --max-growth |' "$work/summary" || fail "the summary has no table"

"$script" "$work/dumps" "$work/baseline.json" 10% || fail "10 % are allowed"

rm "$work/dumps"/*
if "$script" "$work/dumps" "$work/baseline.json" 2> /dev/null; then
  fail "there is no module"
fi
echo PASSED
