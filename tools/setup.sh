#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the packages that the program needs, where there is apt and the right to use it.
#     setup.sh [tests] [lammps] [python] [web] [site] [ci]
# also for the tests, for LAMMPS' pair style, for the Python package and its tests, for the explorer and its tests, for
# the site, for the other checks of .ci/run
set -eu

packages="gcc make cmake pkg-config libfyaml-dev libhdf5-dev libsuitesparse-dev"
packages="$packages python3-numpy python3-matplotlib python3-h5py" # they draw the pictures
tools="cc make cmake pkg-config python3"
libraries="libfyaml hdf5"
for part in "$@"; do
  case $part in
  tests)
    packages="$packages g++ check python3 ocl-icd-opencl-dev pocl-opencl-icd abigail-tools"
    tools="$tools c++"
    libraries="$libraries check"
    ;;
  lammps) packages="$packages g++ lammps liblammps-dev openmpi-bin time" ;;
  python)
    packages="$packages python3-cffi python3-numpy python3-dev python3-venv python3-pip python3-setuptools"
    packages="$packages python3-wheel python3-pytest python3-pytest-xdist python3-hypothesis python3-mypy"
    packages="$packages python3-pandas python3-xarray python3-nbclient"
    packages="$packages python3-nbconvert python3-ipykernel"
    ;;
  web)
    packages="$packages clang lld wasi-libc libclang-rt-14-dev-wasm32 python3 chromium"
    # another vendor's nodejs has npm in it, and excludes Debian's
    command -v node > /dev/null || packages="$packages nodejs"
    command -v npm > /dev/null || packages="$packages npm"
    ;;
  site)
    packages="$packages python3 python3-sphinx python3-myst-parser furo libjs-katex fonts-katex node-normalize.css"
    packages="$packages mandoc python3-nbconvert"
    command -v node > /dev/null || packages="$packages nodejs"
    ;;
  ci)
    packages="$packages clang clang-format clang-tidy libclang-rt-14-dev cppcheck shellcheck valgrind man-db groff"
    packages="$packages gcovr pyflakes3"
    ;;
  *) echo "setup.sh: there is no part '$part'" >&2 && exit 1 ;;
  esac
done

missing=""
for package in $packages; do
  dpkg-query -W -f='${Status}' "$package" 2> /dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || { echo "setup: nothing to install"; exit 0; }

if ! command -v apt-get > /dev/null; then # not Debian: look for the programs and libraries themselves
  lacking=""
  for tool in $tools; do
    command -v "$tool" > /dev/null || lacking="$lacking $tool"
  done
  for library in $libraries; do
    pkg-config --exists "$library" 2> /dev/null || lacking="$lacking $library"
  done
  [ -n "$lacking" ] || { echo "setup: nothing to install"; exit 0; }
  echo "setup: missing:$lacking" >&2
  echo "Install a C17 compiler, make, CMake (3.21 or newer), pkg-config, libfyaml, SuiteSparse (LDL and AMD)," >&2
  echo "HDF5 with its high-level library, and for pictures Python 3 with numpy, matplotlib and h5py; for the tests" >&2
  echo "also a C++ compiler and Check." >&2
  exit 1
fi

sudo=""
if [ "$(id -u)" -ne 0 ]; then
  sudo=sudo
  if ! command -v sudo > /dev/null; then
    echo "setup: packages are missing; as root, run: apt-get install$missing" >&2
    exit 1
  fi
fi
echo "setup: installing$missing"
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # the packages are words
if ! { $sudo apt-get -q update && $sudo apt-get -q -y --no-install-recommends install $missing; } > "$log" 2>&1; then
  tail -20 "$log" >&2
  echo "setup: could not install; by hand: apt-get install$missing" >&2
  rm -f "$log"
  exit 1
fi
rm -f "$log"
