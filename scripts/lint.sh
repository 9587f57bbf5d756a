#!/bin/sh
# Runs golangci-lint over every module. Arguments go to `golangci-lint run`.
set -eu
cd "$(dirname "$0")/.."
top=$PWD
tools=$(scripts/tools.sh)
"$tools/golangci-lint" config verify --config "$top/.golangci.yml" 2>/dev/null || echo "lint: schema of .golangci.yml not verified (needs the network)" >&2
failed=
for module in $(scripts/modules.sh); do
  (cd "$module" && GOWORK=off "$tools/golangci-lint" run --config "$top/.golangci.yml" --show-stats=false "$@" ./...) || failed="$failed $module"
done
if [ -n "$failed" ]; then
  echo "lint: findings in$failed" >&2
  exit 1
fi
