#!/bin/sh
# Lints the .proto files, and compares them with the commit where this branch
# left main: an older plugin must still be understood.
set -eu
cd "$(dirname "$0")/.."
tools=$(scripts/tools.sh)
(cd sdk/proto && "$tools/buf" lint)

main=
for name in origin/main main; do
  git rev-parse -q --verify "$name^{commit}" >/dev/null 2>&1 && main=$name && break
done
if [ -z "$main" ] || ! base=$(git merge-base HEAD "$main" 2>/dev/null); then
  echo "proto: no main to compare with, compatibility not checked" >&2
  exit 0
fi
if ! git cat-file -e "$base:sdk/proto" 2>/dev/null; then
  echo "proto: main has no .proto files yet, nothing to stay compatible with" >&2
  exit 0
fi
old=$(mktemp -d)
trap 'rm -rf "$old"' EXIT
git archive "$base" sdk/proto | tar -x -C "$old"
(cd sdk/proto && "$tools/buf" breaking --against "$old/sdk/proto")
