#!/bin/sh
# Prints the folder of every module of this repository, one a line, the root
# first. The developer tools and the benchmark against other products are left
# out: they carry dependencies that the product does not have.
set -eu
cd "$(dirname "$0")/.."
find . \( -name .git -o -name node_modules -o -name testdata -o -path ./bin -o -path ./tools -o -path ./bench \) -prune \
  -o -name go.mod -print | sed 's|/go\.mod$||' | LC_ALL=C sort
