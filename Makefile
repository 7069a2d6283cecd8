# Thin front of CMake and the program; `make` alone lists the targets.
.DEFAULT_GOAL := help
.PHONY: help arguments build test audit reproduce verify compare atlas league bench weights report format tidy clean dependencies \
        configure install uninstall wheel deb

PRESET ?= release
BUILD := $(if $(filter release,$(PRESET)),build,build-$(PRESET))
# All cores, but no more compilers at once than memory holds (1.5 GB each).
JOBS ?= $(shell awk -v cores="$$(nproc)" '/MemAvailable/ {n = int($$2 / 1.5e6)} \
          END {print n < 1 ? 1 : (n < cores ? n : cores)}' /proc/meminfo)
PROGRAM = $(BUILD)/daemark
PREFIX ?= /usr/local
SHORT = $(if $(REPRODUCE),--short)
# How far a build is: steps that are done, of how many, and the seconds it took so far.
export NINJA_STATUS ?= [%p, %f of %t steps, %es] 
FORMATTED = find base problems methods analysis bindings experiments tests \
            -name '*.hpp' -o -name '*.cpp'

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "Variables: PRESET=release|debug|asan-ubsan, JOBS=N, REPRODUCE=short (no long cells),"
	@echo "           ITEMS='li2019/table1 ...' (reproduce, verify), METHOD='gauss(3)' (compare),"
	@echo "           TESTS=REGEX (test, on Suite.Test), BENCH=REGEX (bench), FILES=REGEX (tidy)"

# Every other target that builds comes after it: what no target would take is refused at once.
arguments:
	@scripts/check_arguments.sh 'TARGET=$(firstword $(MAKECMDGOALS))' 'PRESET=$(PRESET)' 'JOBS=$(JOBS)' \
	  'REPRODUCE=$(REPRODUCE)' 'METHOD=$(METHOD)' 'ITEMS=$(ITEMS)' 'TESTS=$(TESTS)'

dependencies: arguments
	@scripts/dependencies.sh

configure: dependencies
	@test -f $(BUILD)/build.ninja || cmake --preset $(PRESET)

build: configure  ## the program, build/daemark
	@cmake --build $(BUILD) --parallel $(JOBS) --target daemark

install: configure  ## program, library and data under PREFIX=/usr/local (DESTDIR=... for a package)
	@cmake --build $(BUILD) --parallel $(JOBS) --target installed
	@cmake --install $(BUILD) --prefix '$(PREFIX)' >/dev/null
	@mv $(BUILD)/install_manifest.txt $(BUILD)/installed.txt  # else a wheel or package overwrites it
	@echo "installed under $(DESTDIR)$(PREFIX)"

wheel: configure  ## a Python wheel with library, program and data, in the build folder
	@cmake --build $(BUILD) --parallel $(JOBS) --target installed
	@rm -rf $(BUILD)/wheel && cmake --install $(BUILD) --prefix $(BUILD)/wheel >/dev/null
	@scripts/wheel.py $(BUILD)/wheel $(BUILD)

deb: configure  ## a Debian package, in the build folder
	@cmake --build $(BUILD) --parallel $(JOBS) --target installed
	@cd $(BUILD) && cpack -G DEB

uninstall:  ## remove what the last `make install` put there
	@scripts/uninstall.sh $(BUILD)/installed.txt

test: configure  ## build and run all tests
	@cmake --build $(BUILD) --parallel $(JOBS) --target tests
	@scripts/run_tests.sh $(BUILD) $(JOBS) '$(TESTS)'

reproduce: build  ## every table, figure and verdict under results/
	@$(PROGRAM) reproduce $(SHORT) $(ITEMS)
	@test -e $(BUILD)/engines || echo "results/league stays as it was committed: no physics engine is built here"

verify: build  ## exact orders, stability certificates, errata
	@$(PROGRAM) verify $(ITEMS)

compare: build  ## METHOD='M(...)' beside the catalogue
	@$(PROGRAM) compare '$(METHOD)'

atlas: build  ## the short atlas: methods on problems, under results/atlas
	@$(PROGRAM) atlas --short

league: build  ## engines that are installed, and joined programs, on mechanisms: results/league
	@cmake --build $(BUILD) --parallel $(JOBS) --target engines
	@for engine in $(BUILD)/engines/*; do $(PROGRAM) join $$(basename $$engine)=$$engine; done
	@$(PROGRAM) league

weights: configure  ## what work costs, for the ranks of the atlas: experiments/compare/weights.json
	@cmake --build $(BUILD) --parallel $(JOBS) --target bench
	@python3 scripts/weights.py $(BUILD)/daemark_bench experiments/compare/weights.json

bench: configure  ## nanoseconds per step and iteration of every method, kept as build/bench/REVISION.json
	@cmake --build $(BUILD) --parallel $(JOBS) --target bench
	@mkdir -p $(BUILD)/bench; revision=$$(git describe --always --dirty 2>/dev/null || echo unknown); \
	$(BUILD)/daemark_bench $(if $(BENCH),--benchmark_filter='^yardstick|$(BENCH)') \
	  --benchmark_out=$(BUILD)/bench/$$revision.json --benchmark_out_format=json \
	  --benchmark_context=revision=$$revision

audit: configure  ## compare the day's samples by independent means (slow; DAY=YYYYMMDD, PART=..., CALLS=N)
	@cmake --build $(BUILD) --parallel $(JOBS) --target audit
	@$(BUILD)/daemark_audit $(if $(DAY)$(PART),$(or $(DAY),$(shell date +%Y%m%d))) $(PART) $(CALLS)

report: build  ## the pages of results/, from committed data
	@$(PROGRAM) report

format:  ## clang-format every source file in place
	@scripts/dependencies.sh clang-format
	@$(FORMATTED) | xargs clang-format -i

tidy:  ## clang-tidy every source file (FILES=REGEX for some)
	@scripts/dependencies.sh clang-tidy
	@cmake --preset tidy >/dev/null
	@scripts/tidy.py build-tidy $(JOBS) '$(FILES)'

clean:  ## remove the build folders
	rm -rf build build-debug build-asan-ubsan build-tidy
