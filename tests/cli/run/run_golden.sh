# SPDX-License-Identifier: MIT
# jager run gives the same bits with any number of threads and any choice of output.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

# Enough spheres for the threads to share the work
small_case case.yaml 700 400
hashes=
for threads in 1 2 3; do
  run run case.yaml --quiet --threads $threads -o "with-$threads"
  expect_code 0 "$threads threads"
  hashes="$hashes $(hash_told)"
  expect_files "with-$threads/series.csv"
  cmp with-1/series.csv with-$threads/series.csv || fail "series.csv differs with $threads threads"
done
# shellcheck disable=SC2086
set -- $hashes
expect_same $# 3 "hashes in the output"
expect_same "$2 $3" "$1 $1" "hash with 2 and 3 threads"

# Looking changes nothing
run run case.yaml -q --threads 1 -o looked-at --set output.snapshot=50 --set output.vtk=100 --set checkpoint.steps=30 \
  --set output.series=1 --set 'trace=[{pair: [1, 2]}, {born: {strain_zz: 0.0002}, window: 0.0001}]'
expect_code 0 "with all outputs"
expect_same "$(hash_told)" "$1" "hash with all outputs"

# The skin of the neighbour lists changes nothing; another seed does
run run case.yaml -q --threads 1 -o skin --set skin=0.08
expect_code 0 "another skin"
expect_same "$(hash_told)" "$1" "hash with another skin"
cmp with-1/series.csv skin/series.csv || fail "series.csv differs with another skin"
run run case.yaml -q --threads 1 -o seed --set seed=8
expect_code 0 "another seed"
[ "$(hash_told)" != "$1" ] || fail "another seed gives the same hash"
finish
