#!/bin/sh
# Writes generated files anew: the code of the .proto files and docs/config.md.
set -eu
cd "$(dirname "$0")/.."
tools=$(scripts/tools.sh)
(cd sdk/proto && PATH=$tools:$PATH buf generate)
go generate ./host/...
