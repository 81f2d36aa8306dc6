# SPDX-License-Identifier: MIT
# jagerplugin.so is really loaded: always by plugin_host.cpp, which does what the package PLUGIN of LAMMPS does, and by
# `plugin load` and LAMMPS_PLUGIN_PATH of a LAMMPS with that package, where there is one: the variable
# JAGER_LAMMPS_PROGRAM names it, or it is lmp. It must be the version that the plugin was compiled for. The results
# equal lmp_jager's. The seventh argument is plugin_host, or `program` to test a LAMMPS with PLUGIN: without one, the
# test is skipped.
# shellcheck source=engines/lammps/tests/lammps.inc
. "$2/engines/lammps/tests/lammps.inc"
plugin=$5
host=$7
data=$source_dir/engines/lammps/examples/packed.data
linked=$program

{
  printf 'include %s/shear.lmp\nrun 60\n' "$tests"
  printf 'write_restart state\n'
} > script
# The wall is a style of its own
printf '%s\n' 'units si' 'atom_style sphere' 'boundary p p f' 'comm_modify vel yes' \
  'region box block 0 0.01 0 0.01 0 0.01' 'create_box 1 box' 'create_atoms 1 single 0.005 0.005 0.0006' \
  'set group all diameter 1e-3' 'set group all density 2650' 'velocity all set 1 0 -2' 'pair_style gran/jager' \
  'pair_coeff * * 29e9 0.15 0.5' 'fix floor all wall/gran/jager 29e9 0.15 0.5 damping 0.1 zplane 0 NULL' \
  'fix motion all nve/sphere' 'thermo_style custom step f_floor[1] f_floor[3] f_floor[7] ke' 'thermo 10' \
  'thermo_modify format float %.15g' 'neighbor 1e-4 bin' 'timestep 1e-7' 'run 600' > wall

# same NAME RANKS FILE COMMAND...: the command runs the script like lmp_jager
same() {
  name=$1 ranks=$2 file=$3
  shift 3
  program=$linked
  lammps "$ranks" -in "$file" -var tests "$tests" -var data "$data" -var newton on -var steps 60
  expect_code 0 "lmp_jager, $file"
  expected=$(awk '/^ *Step/ { table = 1; next } /^Loop/ { table = 0 } table' out)
  [ -n "$expected" ] || fail "$file: no result"
  mpirun --oversubscribe --bind-to none -np "$ranks" "$@" -log none -var tests "$tests" -var data "$data" \
    -var newton on -var steps 60 < /dev/null > out 2> err || fail "$name, $file, $ranks ranks: $(tail -n 3 out err)"
  now=$(awk '/^ *Step/ { table = 1; next } /^Loop/ { table = 0 } table' out)
  expect_same "$now" "$expected" "$name, $file, $ranks ranks"
}

if [ "$host" != program ]; then
  for ranks in 1 2; do
    same "plugin_host" $ranks script "$host" "$plugin" -in script
    same "plugin_host" $ranks wall "$host" "$plugin" -in wall
  done
  awk '$4 == 1 && $3 < 0 { hit++ } END { exit !(hit > 2) }' << END || fail "the wall is not touched: $expected"
$expected
END
  version=$(sed -n 's/^plugin: .* for LAMMPS //p' out | sort -u)
  case $version in unknown | *20[0-9][0-9]) ;; *) fail "the version is '$version'" ;; esac
  sed -n 's/^plugin: \([^,]*\), .*/\1/p' out > told
  printf 'pair gran/jager\nfix wall/gran/jager\nfix JAGER/HISTORY\n' | cmp -s - told || fail "styles: $(cat told)"
  finish
fi

# ---- A LAMMPS with PLUGIN -------------------------------------------------------------------------------------------

lmp=${JAGER_LAMMPS_PROGRAM:-lmp}
echo "plugin list" > probe
if ! "$lmp" -log none -in probe > out 2> err < /dev/null; then
  [ -z "${JAGER_LAMMPS_PROGRAM:-}" ] || { cat out err; fail "JAGER_LAMMPS_PROGRAM has no package PLUGIN"; finish; }
  echo "skipped: lmp has no package PLUGIN; let JAGER_LAMMPS_PROGRAM name a LAMMPS that has it"
  exit 77
fi
unset LAMMPS_PLUGIN_PATH
for ranks in 1 2; do
  for file in script wall; do
    { echo "plugin load $plugin"; cat $file; } > loads
    same "plugin load" $ranks $file "$lmp" -in loads
    grep -q "The Jaeger contact" out || fail "nothing is loaded: $(head -n 5 out)"
    grep "compiled for LAMMPS version" out && fail "the plugin is for another version"
    LAMMPS_PLUGIN_PATH=$(dirname "$plugin") same "LAMMPS_PLUGIN_PATH" $ranks $file "$lmp" -in $file
  done
done
# clear: LAMMPS restores its plugins. unload: the style is gone, LAMMPS continues.
{ echo "plugin load $plugin"; cat script; echo "clear"; cat script; } > loads
"$lmp" -log none -in loads -var tests "$tests" -var data "$data" -var newton on -var steps 60 > out 2> err ||
  fail "clear: $(tail -n 3 out err)"
[ "$(grep -c '^Loop time' out)" -eq 2 ] || fail "clear: not two runs"
{ echo "plugin load $plugin"; cat script; echo "plugin unload pair gran/jager"; } > loads
"$lmp" -log none -in loads -var tests "$tests" -var data "$data" -var newton on -var steps 60 > out 2> err ||
  fail "unload: $(tail -n 3 out err)"
echo "pair_style gran/jager" >> loads
"$lmp" -log none -in loads -var tests "$tests" -var data "$data" -var newton on -var steps 60 > out 2> err &&
  fail "unload: the style is still there"
# The other tests, by this program
LAMMPS_PLUGIN_PATH=$(dirname "$plugin")
export LAMMPS_PLUGIN_PATH
for name in ${JAGER_PLUGIN_TESTS:-paths restart wall}; do
  sh "$tests/$name.sh" "$lmp" "$source_dir" "$jager" "$4" "$plugin" "$6" > told 2>&1 || fail "$name: $(tail -n 4 told)"
done
finish
