# SPDX-License-Identifier: MIT
# The commands of README.md; `make help` lists them. CMake does the building: tools/build.sh calls it.
BUILD ?= build
export JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PROGRAM = $(BUILD)/src/cli/jager
BUILD_PROGRAM = @sh tools/build.sh $(BUILD)
BUILD_TESTS = @sh tools/build.sh --tests $(BUILD)

.PHONY: all help setup setup-tests setup-web setup-site run test python explorer site gallery paper soak \
  soak-tolerance soak-compact soak-adversary random-cases fail-allocations mutants bench bench-short bench-compact \
  bench-macroscopic bench-lammps bench-lammps-pair bench-python coverage amalgamation install clean

all: setup ## build the program, the library and the examples
	$(BUILD_PROGRAM) all

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' Makefile

setup:
	@sh tools/setup.sh

setup-tests:
	@sh tools/setup.sh tests lammps python web site

setup-web:
	@sh tools/setup.sh web

setup-site:
	@sh tools/setup.sh web site

run: setup ## build the program, run the biaxial test of the paper, say where its pictures are
	$(BUILD_PROGRAM) jager_program
	@sh tools/run.sh $(PROGRAM)

test: setup-tests ## build everything, LAMMPS' pair style and the Python package too, and run all tests
	$(BUILD_TESTS) all
	@sh tools/progress.sh tests ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)

python: setup-tests ## set up a virtual environment with the Python package in BUILD/python-env, and run its tests
	$(BUILD_TESTS) jager_python jager_program
	@sh tools/python_env.sh $(BUILD)
	@JAGER_PROGRAM=$(abspath $(PROGRAM)) $(BUILD)/python-env/bin/python -m pytest -q python/tests

explorer: setup-web ## make the explorer, a page with the library in it: BUILD/web/explorer.html
	@sh web/wasm/build.sh $(BUILD)/web
	@/usr/bin/python3 web/bundle.py $(BUILD)/web/jager.wasm $(BUILD)/web/explorer.html
	@echo "$(BUILD)/web/explorer.html"

site: setup-site ## make the documentation as a site, which needs no network: BUILD/site/index.html
	$(BUILD_PROGRAM) jager_program
	-@$(MAKE) --no-print-directory explorer
	@sh tools/site_build.sh $(CURDIR) $(abspath $(BUILD)) $(abspath $(PROGRAM))

ITEM ?=
gallery: setup-tests ## make the gallery, docs/gallery, anew, or ITEM=... of it
	$(BUILD_TESTS) jager_python jager_program
	@PYTHONPATH=$(BUILD)/python JAGER_PROGRAM=$(abspath $(PROGRAM)) /usr/bin/python3 gallery/gallery.py $(ITEM)

bench-python: setup-tests ## the Python package against loops in C and the program
	$(BUILD_TESTS) jager_python jager_program bench_arrays bench_step
	@sh bench/python_speed.sh --build $(BUILD)

paper: setup ## make the figures and the table of the paper, in docs/paper
	$(BUILD_PROGRAM) jager_program
	@$(PROGRAM) paper -o docs/paper

CALLS ?= 2.6e10
SEEDS ?= 1 2
soak: setup-tests ## check all invariants after each of CALLS=2.6e10 random movements, for SEEDS="1 2"
	$(BUILD_TESTS) soak
	@printf '%s\n' $(SEEDS) | xargs -P $(JOBS) -I SEED $(BUILD)/tests/soak --calls $(CALLS) --seed SEED

soak-tolerance: setup-tests ## compare short histories with exact ones in 2e9 random movements: about ten minutes
	$(BUILD_TESTS) tolerance
	@$(BUILD)/tests/tolerance --calls 2e9

soak-compact: setup-tests ## compare contacts of fixed size with exact ones in 1e9 random movements: about ten minutes
	$(BUILD_TESTS) compact
	@$(BUILD)/tests/compact --calls 1e9

soak-adversary: setup-tests ## search for the movements that are worst for short histories, from SEEDS="1 2"
	$(BUILD_TESTS) adversary
	@for seed in $(SEEDS); do $(BUILD)/tests/adversary --seed $$seed || exit 1; done

CASES ?= 300
random-cases: setup-tests ## run CASES=300 random but ordinary cases to their ends
	$(BUILD_TESTS) random_cases
	@$(BUILD)/tests/random_cases --cases $(CASES) --seed $(firstword $(SEEDS)) --jobs $(JOBS)

# Of the allocations of HDF5 in its own process, one in 41 fails.
FAIL_ALLOCATIONS = $(BUILD)/tests/fail_allocations $(abspath $(PROGRAM)) \
  $(abspath $(BUILD))/tests/libfailing_memory.so $(CURDIR)
fail-allocations: setup-tests ## let each allocation of the program fail once, alone, then with all after it
	$(BUILD_TESTS) jager_program fail_allocations failing_memory
	@$(FAIL_ALLOCATIONS) --main-process
	@$(FAIL_ALLOCATIONS) --main-process --all-after
	@$(FAIL_ALLOCATIONS) --every 41

N ?= 80
SEED ?= 1
mutants: setup-tests ## count how many of N=80 random changes to each part of the sources the tests notice: hours
	@nice /usr/bin/python3 tools/mutate.py --count $(N) --seed $(SEED) $(OPTIONS)

coverage: ## measure the line coverage of src/contact
	@sh tools/setup.sh tests ci
	@sh tools/coverage.sh

bench: setup ## nanoseconds a call of every law
	$(BUILD_PROGRAM) bench_contact
	@taskset -c 0 $(BUILD)/bench/contact

bench-short: setup ## memory that short histories save and errors that they make, against exact ones
	$(BUILD_PROGRAM) short_histories
	@$(BUILD)/bench/short_histories examples/biaxial.yaml
	@$(BUILD)/bench/short_histories bench/cyclic-50.yaml

bench-compact: setup ## what contacts of fixed size lose, against exact ones: about 20 minutes
	$(BUILD_PROGRAM) compact_study compact_memory
	@sh bench/compact/study.sh $(BUILD) .

bench-macroscopic: setup ## stresses of runs with short histories against those of the exact run
	$(BUILD_PROGRAM) jager_program
	@sh bench/macroscopic.sh --build $(BUILD)

OPTIONS ?=
bench-lammps: setup-tests ## a whole time step against LAMMPS; OPTIONS=--growth for more spheres, too
	$(BUILD_TESTS) jager_program checkpoint_spheres
	@sh bench/compare_lammps.sh --build $(BUILD) $(OPTIONS)

bench-lammps-pair: setup-tests ## the pair style in LAMMPS against LAMMPS' own; OPTIONS=--growth for more spheres, too
	$(BUILD_TESTS) jager_program checkpoint_spheres lmp_jager
	@sh bench/lammps_pair.sh --build $(BUILD) $(OPTIONS)

amalgamation: setup ## make one jager.c and one jager.h of the library
	$(BUILD_PROGRAM) amalgamation
	@echo "$(BUILD)/amalgamation/jager.c and jager.h"

install: all ## install the library and the program (see also: cmake --install BUILD --prefix DIR)
	@cmake --install $(BUILD)

clean: ## remove the build and the results of `make run`
	rm -rf $(BUILD) out
