#!/bin/sh
# Runs the Go benchmarks of every module, benchstat-ready, and then the
# comparison with other products where the module bench is there. Arguments go
# to go test, for example -benchtime=1s or -count=6.
set -eu
cd "$(dirname "$0")/.."
CHROME_PATH=$(scripts/browser.sh)
export CHROME_PATH
[ $# -gt 0 ] || set -- -count=1
failed=
for module in $(scripts/modules.sh); do
  (cd "$module" && GOWORK=off go test -run '^$' -bench . -benchmem -timeout 30m "$@" ./...) </dev/null || failed="$failed $module"
done
if [ -x bench/run ]; then
  bench/run </dev/null || failed="$failed bench"
fi
if [ -n "$failed" ]; then
  echo "FAILED:$failed" >&2
  exit 1
fi
