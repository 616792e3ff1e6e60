#!/usr/bin/env bash
# Runs the README, or another page: every command of a ```console block prints what stands below it, and every other block is the file
# that is named above it. Blocks of ```sh are commands that build the whole project; .ci/run runs those. Those of ```pycon are for
# tests/python/docs_test.py.
#
#   readme_test.sh PAGE PROGRAM...: commands find the programs by their names.
set -uo pipefail

page=$1
shift
export LC_ALL=C.UTF-8
bin=$(mktemp -d)
trap 'rm -r "$bin"' EXIT
for program in "$@"; do
  ln -s "$PWD/$program" "$bin/"
done
export PATH=$bin:$PATH

failures=0
checked=0
check() {  # check WHAT EXPECTED ACTUAL
  checked=$((checked + 1))
  if [[ $2 != "$3" ]]; then
    failures=$((failures + 1))
    printf '%s\n' "$page: $1 differs (-: the page, +: truth)"
    diff -u <(printf '%s\n' "$2") <(printf '%s\n' "$3") | tail -n +3
  fi
}

command='' expected=''
end_of_command() {
  [[ -z $command ]] || check "$command" "$expected" "$(bash -c "$command" 2>&1)"
  command='' expected=''
}

# Lines are kept with a line break before each but the first, as $(...) gives them.
language='' file='' block=''
append() {  # append VARIABLE LINE
  local -n text=$1
  text+=${text:+$'\n'}$2
}
while IFS= read -r line; do
  case $language:$line in
    :'```'*) language=${line#'```'} block='' ;;
    :'`'*'`:') file=${line#'`'} file=${file%'`:'} ;;
    :*) ;;
    console:'```')
      end_of_command
      language=''
      ;;
    console:'$ '*)
      end_of_command
      command=${line#'$ '}
      ;;
    console:*) append expected "$line" ;;
    sh:'```' | pycon:'```') language='' ;;
    *:'```')
      check "$file" "$block" "$(cat "$file")"
      language='' file=''
      ;;
    *) append block "$line" ;;
  esac
done <"$page"

echo "$checked examples, $failures differ"
((checked > 0 && failures == 0))
