#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a command of CMake or CTest and shows its progress in one line: on a terminal the line overwrites itself,
# otherwise there is a line every 30 seconds. Messages of the compiler and the output of failed tests are shown in full.
#     progress.sh NAME COMMAND...
set -u
name=$1
shift
status_file=$(mktemp) || exit 1
trap 'rm -f "$status_file"' EXIT

now() {
  date +%s
}

if [ -t 1 ]; then
  begin=$(printf '\r') clear=$(printf '\r\033[K')
  progress() {
    printf '%s%s: %s\033[K' "$begin" "$name" "$1"
  }
else
  clear=""
  progress() {
    [ $(($(now) - shown)) -lt 30 ] || { shown=$(now) && printf '%s: %s\n' "$name" "$1"; }
  }
fi

# Reads the command's output. A blank line is shown only between lines that are shown.
follow() {
  start=$(now) shown=$start compiled=0 hidden=1
  while IFS= read -r line; do
    case $line in
    '['*%']'*)
      case $line in *'Building '*) compiled=$((compiled + 1)) ;; esac
      progress "${line%%]*}]"
      hidden=1
      ;;
    *' Test '*'#'*' Passed '*)
      progress "${line%% Test *}"
      hidden=1
      ;;
    '    '*'Start '*':'* | 'Test project '* | 'Internal ctest '* | '-- '* | 'Consolidate '* | 'Scanning '*) hidden=1 ;;
    '') [ "$hidden" = 1 ] || echo ;;
    *)
      printf '%s%s\n' "$clear" "$line"
      hidden=0
      ;;
    esac
  done
  printf '%s' "$clear"
  if [ "$name" = build ] && [ "$(cat "$status_file")" = 0 ]; then
    text="done in $(($(now) - start)) s, files compiled: $compiled"
    [ $compiled != 0 ] || text="up to date"
    echo "build: $text"
  fi
}

{
  "$@" 2>&1
  echo $? > "$status_file"
} | follow
exit "$(cat "$status_file")"
