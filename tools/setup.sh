#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes sure that what the build and the tests need is there; installs it where there is apt and the right to use it.
#     setup.sh [ci|lammps]      with `ci`, also what the static checks and sanitizers need; with `lammps`, LAMMPS, for its pair
#                               style and the comparisons with it
set -eu

packages="gcc g++ make cmake pkg-config check gnuplot-nox libfyaml-dev libhdf5-dev"
[ "${1:-}" = ci ] && packages="$packages clang clang-format clang-tidy libclang-rt-14-dev cppcheck shellcheck valgrind man-db groff"
[ "${1:-}" = lammps ] && packages="$packages lammps liblammps-dev openmpi-bin time"

missing=""
for package in $packages; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done 2>/dev/null
[ -z "$missing" ] && exit 0

if ! command -v apt-get > /dev/null; then
  # not Debian: look for the tools themselves
  lacking=""
  for tool in cc c++ make cmake pkg-config gnuplot; do
    command -v "$tool" > /dev/null || lacking="$lacking $tool"
  done
  for library in check libfyaml hdf5; do
    pkg-config --exists "$library" 2> /dev/null || lacking="$lacking $library"
  done
  [ -z "$lacking" ] && exit 0
  echo "missing:$lacking" >&2
  echo "install: a C17 compiler, a C++ compiler, make, cmake (3.18 or newer), pkg-config, check (libcheck), gnuplot, libfyaml, HDF5 with its high-level library" >&2
  exit 1
fi

sudo=""
if [ "$(id -u)" -ne 0 ]; then
  sudo=sudo
  if ! command -v sudo > /dev/null; then
    echo "missing packages; as root, run: apt-get install$missing" >&2
    exit 1
  fi
fi
echo "installing$missing"
log=$(mktemp)
# shellcheck disable=SC2086 # the packages are words
if ! { DEBIAN_FRONTEND=noninteractive $sudo apt-get -q update &&
       DEBIAN_FRONTEND=noninteractive $sudo apt-get -q -y --no-install-recommends install $missing; } > "$log" 2>&1; then
  tail -20 "$log" >&2
  echo "could not install; by hand: apt-get install$missing" >&2
  rm -f "$log"
  exit 1
fi
rm -f "$log"
