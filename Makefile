# SPDX-License-Identifier: MIT
# The commands of README.md; `make help` lists them. CMake does the building: tools/build.sh calls it.
BUILD ?= build
export JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PROGRAM = $(BUILD)/src/cli/jager
BUILD_PROGRAM = @sh tools/build.sh $(BUILD)
BUILD_TESTS = @sh tools/build.sh --tests $(BUILD)

.PHONY: all help setup setup-tests setup-web run test python explorer site gallery paper soak \
  soak-tolerance soak-compact soak-adversary random-cases fail-allocations fuzz mutants bench bench-short \
  bench-compact bench-macroscopic bench-lammps bench-lammps-pair bench-python coverage amalgamation interface \
  install clean

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

run: setup ## build the program, run the biaxial test of the paper, say where its pictures are
	$(BUILD_PROGRAM) jager_program
	@sh tools/run.sh $(PROGRAM)

test: setup-tests ## build everything, LAMMPS' pair style and the Python package too, run tests; long ones: .ci/release
	$(BUILD_TESTS) all
	@sh tools/progress.sh tests ctest --test-dir $(BUILD) --output-on-failure --no-tests=error --parallel $(JOBS) \
	  -LE 'slow|python'
	@$(MAKE) --no-print-directory python

python: setup-tests ## set up a virtual environment with the Python package in BUILD/python-env, and run its tests
	$(BUILD_TESTS) jager_python jager_program
	@sh tools/python_env.sh $(BUILD)
	@JAGER_PROGRAM=$(abspath $(PROGRAM)) $(BUILD)/python-env/bin/python -m pytest -q -n $(JOBS) python/tests

EXPLORER = sh web/wasm/build.sh $(BUILD)/web && \
  /usr/bin/python3 web/bundle.py $(BUILD)/web/jager.wasm $(BUILD)/web/explorer.html
explorer: setup-web ## make the explorer, a page with the library in it: BUILD/web/explorer.html
	@$(EXPLORER)
	@echo "$(BUILD)/web/explorer.html"

site: setup-tests ## make the documentation as a site, which needs no network: BUILD/site/index.html
	$(BUILD_TESTS) jager_python jager_program
	@$(EXPLORER) || [ $$? -eq 77 ] # there is no compiler for it
	@sh site/build.sh $(CURDIR) $(abspath $(BUILD)) $(abspath $(PROGRAM))

ITEM ?=
gallery: setup-tests ## make the gallery, docs/gallery, anew, or ITEM=... of it
	$(BUILD_TESTS) jager_python jager_program short_histories bench_step
	@PYTHONPATH=$(BUILD)/python JAGER_PROGRAM=$(abspath $(PROGRAM)) /usr/bin/python3 gallery/gallery.py $(ITEM)

bench-python: setup-tests ## the Python package against loops in C and the program
	$(BUILD_TESTS) jager_python jager_program bench_arrays bench_step
	@sh bench/python_speed.sh --build $(BUILD)

paper: ## make the figures and the table of the paper, docs/gallery/paper.md: make gallery ITEM=paper
	@$(MAKE) gallery ITEM=paper

CALLS ?= 2.6e10
SEEDS ?= 1 2
soak: setup-tests ## check all invariants after each of CALLS=2.6e10 random movements, for SEEDS="1 2"
	$(BUILD_TESTS) soak
	@printf '%s\n' $(SEEDS) | xargs -P $(JOBS) -I SEED $(BUILD)/tests/soak --calls $(CALLS) --seed SEED

TWINS ?= 2e9
soak-tolerance: setup-tests ## compare short histories with exact ones in TWINS=2e9 random movements: about ten minutes
	$(BUILD_TESTS) tolerance
	@$(BUILD)/tests/tolerance --calls $(TWINS)

soak-compact: setup-tests ## the same for contacts of fixed size
	$(BUILD_TESTS) compact
	@$(BUILD)/tests/compact --calls $(TWINS)

soak-adversary: setup-tests ## search for the movements that are worst for short histories, from SEEDS="1 2"
	$(BUILD_TESTS) adversary
	@for seed in $(SEEDS); do $(BUILD)/tests/adversary --seed $$seed || exit 1; done

CASES ?= 300
random-cases: setup-tests ## run CASES=300 random but ordinary cases to their ends
	$(BUILD_TESTS) random_cases
	@$(BUILD)/tests/random_cases --cases $(CASES) --seed $(firstword $(SEEDS)) --jobs $(JOBS)

FAIL_ALLOCATIONS = $(BUILD)/tests/fail_allocations $(abspath $(PROGRAM)) \
  $(abspath $(BUILD))/tests/libfailing_memory.so $(CURDIR)
fail-allocations: setup-tests ## let allocations of the program fail, each alone, then with all after it
	$(BUILD_TESTS) jager_program fail_allocations failing_memory
	@$(FAIL_ALLOCATIONS)
	@$(FAIL_ALLOCATIONS) --all-after

INPUTS ?= 1e8
fuzz: ## give the readers of files, packed and compact contacts INPUTS=1e8 random inputs: hours
	@sh tools/setup.sh tests ci
	@nice sh tools/fuzz.sh $(INPUTS)

N ?= 120
SEED ?= $(shell git rev-parse HEAD 2>/dev/null || echo 1)
mutants: ## count how many of N=120 random changes of src the tests notice; SEED=any text, else the commit: an hour
	@sh tools/setup.sh tests
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

bench-macroscopic: setup ## stresses of runs with short histories against the exact run
	$(BUILD_PROGRAM) jager_program
	@sh bench/macroscopic.sh --build $(BUILD)

OPTIONS ?=
bench-lammps: setup-tests ## a whole time step against LAMMPS; OPTIONS=--growth for more spheres, too
	$(BUILD_TESTS) jager_program checkpoint_spheres
	@sh bench/compare_lammps.sh --build $(BUILD) $(OPTIONS)

bench-lammps-pair: setup-tests ## the pair style in LAMMPS against LAMMPS' own; OPTIONS=--growth for more spheres, too
	$(BUILD_TESTS) jager_program checkpoint_spheres lmp_jager
	@sh bench/lammps_pair.sh --build $(BUILD) $(OPTIONS)

interface: setup-tests ## write the dump of the binary interface, tests/project/libjager.abi, anew: when it changes
	$(BUILD_TESTS) jager_shared
	@sh tests/project/interface.sh $(CURDIR) $(BUILD)/tests/shared/libjager.so --make

amalgamation: setup ## make one jager.c of the library, beside the folder jager with its headers
	$(BUILD_PROGRAM) amalgamation
	@echo "$(BUILD)/amalgamation: jager.c, its headers in jager/, and jager_lanes_*.c for wide vector units"

PREFIX ?=
install: all ## install the library and the program to PREFIX=/usr/local, below DESTDIR if that is given
	@cmake --install $(BUILD) $(if $(PREFIX),--prefix "$(PREFIX)")

clean: ## remove the build and the results of `make run`
	rm -rf $(BUILD) out
