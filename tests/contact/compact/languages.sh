#!/bin/sh
# SPDX-License-Identifier: MIT
# jager/compact.h in C99, C17, C++11, C++17, C++20, CUDA, HIP, SYCL and as functions of a functor: without warnings, and
# with the same bits of all compilers at all levels of optimisation. Device code is compiled, but not run. Compilers
# that are not there are left out, and named.
#     languages.sh SOURCE_DIR
set -eu
source=$1
here=$source/tests/contact/compact
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
lacking=""
PATH=$PATH:/usr/local/cuda/bin

# compile NAME COMPILER OPTION...: adds a line "NAME: HASHES" to $out/K-TYPE, whose runs must be equal
compile() {
  name=$1
  shift
  "$@" -DJAGER_COMPACT_POINTS="$points" "-D$type" "-I$source/include" "$here/languages.c" -lm -o "$out/program" ||
    { echo "compact_languages: $name with $points points, $type" >&2; exit 1; }
  "$out/program" > "$out/hashes" || { cat "$out/hashes" >&2; exit 1; }
  echo "$name: $(cat "$out/hashes")" >> "$out/$points-$type"
}

# host COMPILER LANGUAGE STANDARD LEVEL...
host() {
  compiler=$1 language=$2 standard=$3
  shift 3
  command -v "$compiler" > /dev/null || { lacking="$lacking $compiler"; return 0; }
  for level in "$@"; do
    compile "$compiler -std=$standard $level" "$compiler" -x "$language" "-std=$standard" "$level" -Wall -Wextra \
      -pedantic -Werror -ffp-contract=off
  done
}

# A functor, with the macro of Kokkos defined as without a GPU
functor() {
  command -v g++ > /dev/null || return 0
  compile "functor" g++ -x c++ -std=c++17 -O2 -Wall -Wextra -pedantic -Werror -ffp-contract=off -DLANGUAGES_FUNCTOR \
    -DJAGER_COMPACT_FUNCTION=inline
}

# The host's part runs; the device's is compiled to machine code.
cuda() {
  command -v nvcc > /dev/null || { lacking="$lacking nvcc"; return 0; }
  compile "nvcc" nvcc -x cu -arch=sm_80 -O2 --fmad=false -Werror all-warnings -Xcompiler -Wall,-Wextra,-ffp-contract=off
}

# clang makes device code of CUDA and HIP without the headers of either: here is what those would declare.
cat > "$out/device.h" << 'END'
#define __CUDACC__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
extern "C" __device__ double sqrt(double), fabs(double);
extern "C" __device__ float sqrtf(float), fabsf(float);
extern "C" __device__ void *memcpy(void *, const void *, __SIZE_TYPE__);
struct place {
  unsigned x;
};
extern __device__ const place blockIdx, blockDim, threadIdx;
END

# device LANGUAGE ARCHITECTURE OPTION...
device() {
  clang++ -x "$@" --cuda-device-only -S -o "$out/device.s" -include "$out/device.h" -std=c++17 -O2 -ffp-contract=off \
    -Wall -Wextra -Werror -Wno-unknown-cuda-version -DJAGER_COMPACT_POINTS="$points" "-D$type" "-I$source/include" \
    "$here/languages.c" || { echo "compact_languages: clang++ -x $1 with $points points, $type" >&2; exit 1; }
}

devices() {
  command -v clang++ > /dev/null || return 0
  clang++ -print-targets | grep -q nvptx64 && device cuda --cuda-gpu-arch=sm_70 -nocudainc -nocudalib
  clang++ -print-targets | grep -q amdgcn && device hip --offload-arch=gfx90a -nogpuinc -nogpulib
  clang++ -x c++ -fsycl -fsyntax-only -std=c++17 -Wall -Wextra -Werror "-D$type" "-I$source/include" "$here/languages.c"
}

# Fast math: the header refuses it by a compiler's macro; without the macro, the program detects it by its arithmetic.
cat > "$out/fast.c" << 'END'
#include "jager/compact.h"
#if defined(__CUDACC__)
__global__ void check(int *status) { *status = jager_compact_check_arithmetic(); }
#endif
int main(void) { return jager_compact_check_arithmetic(); }
END

# arithmetic STATUS COMPILER OPTION...: what jager_compact_check_arithmetic returns
arithmetic() {
  expected=$1 found=0
  shift
  command -v "$1" > /dev/null || return 0
  "$@" -O2 "-D$type" "-I$source/include" "$out/fast.c" -lm -o "$out/fast"
  "$out/fast" || found=$?
  [ "$found" -eq "$expected" ] || { echo "compact_languages: $* -D$type: status $found, not $expected" >&2; exit 1; }
}

fast_math() {
  for compiler in gcc clang; do
    arithmetic 0 "$compiler" -ffp-contract=off
    arithmetic 100 "$compiler" -ffast-math -U__FAST_MATH__
    if grep -qw fma /proc/cpuinfo 2> /dev/null; then
      arithmetic 101 "$compiler" -mfma -ffp-contract=fast
    fi
  done
  command -v gcc > /dev/null && gcc -fsyntax-only -ffast-math "-I$source/include" "$out/fast.c" 2> /dev/null &&
    { echo "compact_languages: -ffast-math is not refused" >&2; exit 1; }
  # nvcc defines no macro. The PTX shows that the device itself computes the tested operations.
  if [ "$type" = JAGER_COMPACT_SINGLE ] && command -v nvcc > /dev/null; then
    nvcc -x cu -ptx -arch=sm_80 -use_fast_math "-D$type" "-I$source/include" "$out/fast.c" -o "$out/fast.ptx"
    for instruction in div.approx.ftz.f32 sqrt.approx.ftz.f32 mul.ftz.f32; do
      grep -q "$instruction" "$out/fast.ptx" || { echo "compact_languages: no $instruction in fast.ptx" >&2; exit 1; }
    done
  fi
}

# Several names in one file
for compiler in "gcc -x c -std=c99" "g++ -x c++ -std=c++11" "clang -x c -std=c17" "clang++ -x c++ -std=c++20"; do
  command -v "${compiler%% *}" > /dev/null || continue
  # shellcheck disable=SC2086 # a compiler and its options
  $compiler -O2 -Wall -Wextra -pedantic -Werror -ffp-contract=off "-I$source/include" "$here/names.c" -lm \
    -o "$out/names" && "$out/names" || { echo "compact_languages: $compiler, several names" >&2; exit 1; }
done

# No macro is left behind, except for the names of both headers
macros() {
  printf '#include <%s>\n' math.h stdint.h string.h stdbool.h "$@" | gcc "-I$source/include" -dM -E - | sort
}
macros > "$out/before"
macros jager/compact.h > "$out/after"
left=$(comm -13 "$out/before" "$out/after" | grep -v '^#define JAGER_\(COMPACT\|STATUS\)_' || true)
[ -z "$left" ] || { echo "compact_languages: macros are left: $left" >&2; exit 1; }

for type in double_numbers JAGER_COMPACT_SINGLE_STORED JAGER_COMPACT_SINGLE; do
  fast_math
  points=12
  host gcc c c17 -O0 -O2 -O3
  host g++ c++ c++17 -O2
  host clang c c17 -O0 -O3
  host clang++ c++ c++17 -O2
  functor
  compile "gcc with assertions" gcc -x c -std=c17 -O2 -ffp-contract=off -include assert.h \
    '-DJAGER_COMPACT_ASSERT(condition)=assert(condition)'
  points=4
  host gcc c c99 -O2
  host g++ c++ c++11 -O0
  host g++ c++ c++20 -O3
  host clang c c99 -O2
  cuda
  devices
done

for runs in "$out"/*-*; do
  echo "$(basename "$runs"): $(wc -l < "$runs") builds, $(sed 's/.*: //' "$runs" | sort -u)"
  [ "$(sed 's/.*: //' "$runs" | sort -u | wc -l)" -eq 1 ] || { cat "$runs"; exit 1; }
done
# shellcheck disable=SC2086 # names are words
[ -z "$lacking" ] || echo "not tried, as they are not there: $(printf '%s\n' $lacking | sort -u | tr '\n' ' ')"
