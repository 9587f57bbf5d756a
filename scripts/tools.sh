#!/bin/sh
# Prints the folder with the developer tools that tools/go.mod pins, after
# building them into bin/tools when they are missing or older than tools/go.sum.
# TOOLS=DIR names a folder with ready ones instead.
set -eu
cd "$(dirname "$0")/.."
if [ -n "${TOOLS:-}" ]; then
  echo "$TOOLS"
  exit 0
fi
folder=$PWD/bin/tools
if [ ! -e "$folder/.built" ] || [ tools/go.sum -nt "$folder/.built" ]; then
  echo "tools: building those of tools/go.mod (minutes, once)" >&2
  mkdir -p "$folder"
  (cd tools && GOWORK=off GOBIN=$folder GOFLAGS=-mod=readonly go install tool) >&2
  touch "$folder/.built"
fi
echo "$folder"
