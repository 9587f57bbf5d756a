# The doors of this repository; `make help` lists them. What they do is in
# scripts/, each script with its own explanation. Needed: Go, git, make and a
# POSIX shell; make check also needs a C compiler (race detector).

GO ?= go
# Developer tools, built from tools/go.mod. TOOLS=DIR uses ready ones.
TOOLS ?=
# Arguments for the demo, for example ARGS=--headed, and for go test.
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help build demo test test-extra check lint generate bench clean

help: ## list the doors
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)$$/make \1|\2/p' Makefile | awk -F'|' '{printf "  %-16s %s\n", $$1, $$2}'

build: ## build bin/cdphost
	$(GO) build -o bin/ ./host/cmd/cdphost

demo: build ## see it all work in 20 seconds (ARGS=--headed shows the window)
	@CHROME_PATH="$$(scripts/browser.sh)" && export CHROME_PATH && exec bin/cdphost demo $(ARGS)

test: ## run all tests, real Chromium included; sets up a browser when there is none
	@scripts/test.sh $(ARGS)

test-extra: build ## run what needs node or downloads
	@scripts/test-extra.sh $(ARGS)

check: ## run what a change must pass: format, vet, lint, generated files, race tests
	@TOOLS="$(TOOLS)" scripts/check.sh

lint: ## run only golangci-lint over all modules
	@TOOLS="$(TOOLS)" scripts/lint.sh

generate: ## write generated code and docs anew
	@TOOLS="$(TOOLS)" scripts/generate.sh

bench: ## run the benchmarks
	@scripts/bench.sh $(ARGS)

clean: ## remove what was built
	rm -rf bin
