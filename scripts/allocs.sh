#!/bin/sh
# Fails when a hot path allocates more than it did when bench/baseline.txt was
# written. Times are not compared: they depend on the machine. With "update" it
# writes the baseline anew, which benchstat reads too:
#
#   scripts/allocs.sh update
#   benchstat bench/baseline.txt new.txt
set -eu
cd "$(dirname "$0")/.."

# hot runs the benchmarks of what every event, call and answer passes through.
hot() {
  run() { go test -run '^$' -benchmem "$@"; }
  run -bench . -benchtime 2000x -count "$1" ./host/capture ./host/dialog ./host/frame
  run -bench 'Scan|EventPath/conn|Call' -benchtime 20000x -count "$1" ./host/cdp
  run -bench 'Snapshot' -benchtime 2000x -count "$1" ./host/supervisor
  run -bench 'Hop|Guard|BeforeSend' -benchtime 500x -count "$1" ./host/plugin
}

if [ "${1:-}" = update ]; then
  hot 6 | tee bench/baseline.txt
  exit 0
fi

now=$(mktemp)
trap 'rm -f "$now"' EXIT
hot 1 >"$now" || { cat "$now" >&2; exit 1; }
# The lowest count of several runs is the path's own; a tenth more and one are
# what a background goroutine may add.
awk '
  /^pkg:/ { pkg = $2 }
  /^Benchmark/ && / allocs\/op/ {
    name = $1; sub(/-[0-9]+$/, "", name); name = pkg " " name
    for (i = 2; i < NF; i++) if ($(i + 1) == "allocs/op") n = $i + 0
    if (FILENAME == ARGV[1]) { if (!(name in base) || n < base[name]) base[name] = n }
    else if (!(name in seen) || n < seen[name]) seen[name] = n
  }
  END {
    for (name in base) {
      if (!(name in seen)) { printf "%s: no longer measured; scripts/allocs.sh update\n", name; bad = 1; continue }
      limit = base[name] == 0 ? 0 : int(base[name] * 1.1) + 1
      if (seen[name] > limit) { printf "%s: %d allocations an operation, %d in bench/baseline.txt\n", name, seen[name], base[name]; bad = 1 }
      else ok++
    }
    for (name in seen) if (!(name in base)) { printf "%s: not in bench/baseline.txt; scripts/allocs.sh update\n", name; bad = 1 }
    if (!bad) printf "%d hot paths allocate no more than they did\n", ok
    exit bad
  }' bench/baseline.txt "$now" >&2
