# SPDX-License-Identifier: MIT
# The commands of README.md. CMake does the building; this file knows which CMake commands.
#     make run    sets up, builds, runs the biaxial test of the paper and shows where the pictures are
#     make test   sets up, with LAMMPS, builds and runs all tests
#     make paper  sets up, builds and makes the figures of the paper anew, in docs/paper
BUILD ?= build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: run test all setup setup-lammps build paper soak soak-tolerance soak-adversary random-cases fail-allocations mutants bench bench-short bench-macroscopic bench-lammps bench-lammps-pair coverage amalgamation install clean

all: build

setup:
	@sh tools/setup.sh

setup-lammps:
	@sh tools/setup.sh lammps
	@! grep -q 'JAGER_LAMMPS_LIB-NOTFOUND' $(BUILD)/CMakeCache.txt 2> /dev/null || cmake $(BUILD) > /dev/null

$(BUILD)/CMakeCache.txt: | setup
	@cmake -S . -B $(BUILD) -DJAGER_WERROR=ON > $(BUILD).log || { cat $(BUILD).log; exit 1; }
	@mv $(BUILD).log $(BUILD)/configure.log

build: setup $(BUILD)/CMakeCache.txt
	@cmake --build $(BUILD) --parallel $(JOBS) -- --quiet 2>&1 || cmake --build $(BUILD)

run: build
	@sh tools/run.sh $(BUILD)/src/cli/jager

# LAMMPS first: if it has just come, a build that did not find it is configured again
test: setup-lammps build
	@cd $(BUILD) && ctest --output-on-failure --parallel $(JOBS)

# The paper's figures and table, kept in docs/paper
paper: build
	@$(BUILD)/src/cli/jager paper -o docs/paper

# Long: all invariants after each of CALLS random movements, for the seeds given
CALLS ?= 2.6e10
SEEDS ?= 1 2
soak: build
	@printf '%s\n' $(SEEDS) | xargs -P $(JOBS) -I SEED $(BUILD)/tests/soak --calls $(CALLS) --seed SEED

# Short histories against exact twins in 2e9 random movements: about ten minutes
soak-tolerance: build
	@$(BUILD)/tests/tolerance --calls 2e9

# The movements that are worst for short histories, by hill climbing from each seed: some minutes a seed
soak-adversary: build
	@for seed in $(SEEDS); do $(BUILD)/tests/adversary --seed $$seed || exit 1; done

# Each allocation of the program fails once, alone, then with all after it; of those of HDF5 in its own process, a part
FAIL_ALLOCATIONS = $(BUILD)/tests/fail_allocations $(abspath $(BUILD))/src/cli/jager \
  $(abspath $(BUILD))/tests/libfailing_memory.so $(CURDIR)
fail-allocations: build
	@$(FAIL_ALLOCATIONS) --main-process
	@$(FAIL_ALLOCATIONS) --main-process --all-after
	@$(FAIL_ALLOCATIONS) --every 41

# Random but ordinary cases, run to their ends; CASES of them from SEED on
CASES ?= 300
random-cases: build
	@$(BUILD)/tests/random_cases --cases $(CASES) --seed $(firstword $(SEEDS)) --jobs $(JOBS)

bench: build
	@taskset -c 0 $(BUILD)/bench/contact

# What the ways to keep histories short save and cost, against exact twins
bench-short: build
	@$(BUILD)/bench/short_histories examples/biaxial.yaml
	@$(BUILD)/bench/short_histories bench/cyclic-50.yaml

# The same seen from outside: stresses of runs with each way against those of the exact run
bench-macroscopic: build
	@sh bench/macroscopic.sh --build $(BUILD)

# A whole time step against LAMMPS, which is installed if need be; OPTIONS=--growth also for more spheres
OPTIONS ?=
bench-lammps: setup-lammps build
	@sh bench/compare_lammps.sh --build $(BUILD) $(OPTIONS)

# The pair style inside LAMMPS against LAMMPS' own; OPTIONS=--growth also for more spheres, on one and two ranks
bench-lammps-pair: setup-lammps build
	@sh bench/lammps_pair.sh --build $(BUILD) $(OPTIONS)

coverage: setup
	@sh tools/coverage.sh

# How many small changes of the sources the tests notice: N random ones of each part. Long: hours for N=100
N ?= 80
SEED ?= 1
mutants: setup
	@nice /usr/bin/python3 tools/mutate.py --count $(N) --seed $(SEED) $(OPTIONS)

amalgamation: build
	@cmake --build $(BUILD) --target amalgamation
	@echo "$(BUILD)/amalgamation/jager.c and jager.h"

install: build
	@cmake --install $(BUILD)

clean:
	rm -rf $(BUILD) out
