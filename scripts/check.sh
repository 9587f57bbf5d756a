#!/bin/sh
# What a change must pass, cheapest first. Stops at the first thing that fails.
set -eu
cd "$(dirname "$0")/.."

step() { echo "--- $*"; }

step "format (gofmt)"
unformatted=$(git ls-files -co --exclude-standard '*.go' | while IFS= read -r file; do [ -e "$file" ] && echo "$file"; done | xargs gofmt -l)
if [ -n "$unformatted" ]; then
  printf 'gofmt would change:\n%s\n' "$unformatted" >&2
  exit 1
fi

step "the rules of the house (imports, package comments, modules, words)"
go test ./test/house/

step "go.mod and go.sum are tidy enough to build alone; vet for linux, darwin, windows"
for module in $(scripts/modules.sh); do
  for os in linux darwin windows; do
    (cd "$module" && GOWORK=off GOOS=$os CGO_ENABLED=0 go vet -mod=readonly ./...) || {
      echo "vet: $module for $os" >&2
      exit 1
    }
  done
done

step "golangci-lint"
scripts/lint.sh

step "buf lint, buf breaking"
scripts/proto.sh

step "generated files are up to date"
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
generated() { git ls-files -co --exclude-standard 'sdk/proto/*.pb.go' docs/config.md; }
generated | tar -c -T - | tar -x -C "$before"
scripts/generate.sh
for file in $(generated); do
  diff -u "$before/$file" "$file" || {
    echo "generated: $file was stale and is written anew; commit it" >&2
    exit 1
  }
done

step "hot paths allocate no more than they did"
scripts/allocs.sh

step "tests with the race detector"
scripts/test.sh -race -timeout 25m

step "all green"
