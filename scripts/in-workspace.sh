#!/bin/sh
# Succeeds when go.work uses the module in the folder $1 (as modules.sh prints it).
set -eu
cd "$(dirname "$0")/.."
go work edit -json | tr -d ' \t"' | grep -qx "DiskPath:$1,*"
