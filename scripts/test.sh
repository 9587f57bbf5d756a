#!/bin/sh
# Runs the tests of every module, in the workspace and then alone (GOWORK=off),
# as somebody who uses that module would. Where both give the same test binary,
# go test says "(cached)" the second time. Arguments go to go test.
set -eu
cd "$(dirname "$0")/.."

CHROME_PATH=$(scripts/browser.sh)
export CHROME_PATH
echo "browser: $CHROME_PATH"
echo "go: $(go version)"

failed=
for module in $(scripts/modules.sh); do
  for mode in workspace alone; do
    work=
    if [ "$mode" = alone ]; then
      work=off
    elif ! scripts/in-workspace.sh "$module"; then
      continue
    fi
    echo "=== $module ($mode)"
    (cd "$module" && GOWORK=$work go test -timeout 9m "$@" ./...) </dev/null || failed="$failed $module($mode)"
  done
done
if [ -n "$failed" ]; then
  echo "FAILED:$failed" >&2
  exit 1
fi
echo "all modules passed"
