#!/bin/sh
# SPDX-License-Identifier: MIT
# What a kernel that moves one contact in each thread takes of a GPU, as ptxas reports it; no GPU is needed.
#     registers.sh [ARCHITECTURE]
# "in place" moves contacts where they lie in global memory; "copied" copies them to private memory and back, as OpenCL
# must. bench/results/compact-nvcc.txt is what this prints.
set -eu
architecture=${1:-sm_80}
source=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc > /dev/null || { echo "registers.sh: there is no nvcc" >&2; exit 77; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

cat > "$out/kernels.cu" << 'END'
#include "jager/compact.h"

struct movement {
  jager_compact_real zeta, dxi[2];
};

extern "C" __global__ void in_place(jager_compact_law law, jager_compact *contacts, const jager_compact_real *stiffness,
                                    const movement *by, jager_compact_force *forces, int count)
{
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count)
    jager_compact_move(&contacts[k], law, stiffness[k], by[k].zeta, by[k].dxi, &forces[k]);
}

extern "C" __global__ void copied(jager_compact_law law, jager_compact *contacts, const jager_compact_real *stiffness,
                                  const movement *by, jager_compact_force *forces, int count)
{
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count)
    return;
  jager_compact contact = contacts[k];
  jager_compact_move(&contact, law, stiffness[k], by[k].zeta, by[k].dxi, &forces[k]);
  contacts[k] = contact;
}
END

echo "nvcc $(nvcc --version | sed -n 's/.*release \(.*\), V.*/\1/p'), $architecture, --fmad=false"
echo "K   numbers         bytes  kernel    registers  stack frame  spill stores  spill loads"
for points in 8 12 16 24; do
  for type in double stored_single single; do
    case $type in
    double) define=double_numbers bytes=$((28 * points + 64)) ;;
    stored_single) define=JAGER_COMPACT_SINGLE_STORED bytes=$((16 * points + 40)) ;;
    single) define=JAGER_COMPACT_SINGLE bytes=$((16 * points + 40)) ;;
    esac
    nvcc -cubin "-arch=$architecture" --fmad=false -Xptxas -v -DJAGER_COMPACT_POINTS=$points -D$define \
      "-I$source/include" "$out/kernels.cu" -o "$out/cubin" 2> "$out/log" || { cat "$out/log" >&2; exit 1; }
    for kernel in in_place copied; do
      awk -v kernel=$kernel -v points=$points -v numbers="$type" -v bytes=$bytes '
        /Function properties for|Compiling entry function/ { at = index($0, kernel) > 0 }
        at && /stack frame/ { stack = $1; stores = $5; loads = $9 }
        at && /Used [0-9]+ registers/ {
          printf "%-3d %-15s %5d  %-8s  %9d  %11d  %12d  %11d\n", points, numbers, bytes, kernel, $5, stack,
                 stores, loads
        }' "$out/log"
    done
  done
done
