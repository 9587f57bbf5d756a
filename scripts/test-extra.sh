#!/bin/sh
# Runs what needs node or downloads: test/extra, the walker's bundle, and the
# module bench where it is there. Fails without node and npm.
set -eu
cd "$(dirname "$0")/.."

for program in node npm; do
  command -v "$program" >/dev/null 2>&1 || {
    echo "test-extra: $program is missing: install Node.js with npm (on Debian: apt-get install nodejs npm)" >&2
    exit 1
  }
done
CHROME_PATH=$(scripts/browser.sh)
export CHROME_PATH
echo "browser: $CHROME_PATH"

echo "=== test/extra"
(
  cd test/extra
  npm ci --no-audit --no-fund --loglevel=error
  # The package node fetches its binary in a step that npm may not have run.
  newer=node_modules/.bin/node
  "$newer" --version >/dev/null 2>&1 || newer=node
  "$newer" client.mjs
  "$newer" inspector.mjs
  "$newer" conformance.mjs
) </dev/null

echo "=== host/page/walker: the bundle"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R host/page/walker/. "$work"
(cd "$work/build" && npm ci --no-audit --no-fund --loglevel=error && npm run --silent build) </dev/null
cmp "$work/accname.js" host/page/walker/accname.js
echo "ok   accname.js is what build/ makes"

# What the tag extra adds to packages that make test has run: the whole matrix of
# actions and dialogs, every task with every seed, many rounds of what is deadly to
# a browser, frames by the thousand.
echo "=== the tag extra"
failed=
extra() { # PACKAGE TESTS
  go test -tags extra -timeout 15m -run "$2" "$1" </dev/null || failed="$failed $1"
}
extra ./host/page 'Matrix'
extra ./host/supervisor 'TestBrowserSurvivesEveryTime|TestFirstStatementIsNeverMissed'
extra ./test/frames 'Loop'
extra ./test/tasks 'Task'
if [ -n "$failed" ]; then
  echo "FAILED:$failed" >&2
  exit 1
fi

if [ -f bench/go.mod ]; then
  echo "=== bench"
  (cd bench && GOWORK=off go vet ./... && GOWORK=off go test "$@" ./...) </dev/null
fi
echo "test-extra passed"
