# SPDX-License-Identifier: MIT
# Files in the directory of a run: without --force none is lost; with it only files of a run, and never its inputs. The
# oracle for names is a regular expression; names that nearly match are random, from a seed.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

# The first failure ends the test: hundreds of names would repeat it
fail() {
  echo "FAIL: $*" >&2
  exit 1
}

seed=20250117
small_case case.yaml 100 60
cat >> case.yaml << 'END'
trace: [{pair: [1, 2], every: 10}]
END
go() {
  run run case.yaml -q --threads 1 --set output.vtk=30 --set output.snapshot=30 "$@"
}

# contents DIR: every file, link and directory in it, with the contents of files
contents() {
  (cd "$1" && find . && find . -type f -exec cksum {} + && find . -type l -exec ls -l {} +) | sort
}

# ---- Names -----------------------------------------------------------------------------------------------------------

picture="($(echo "$run_pictures" | tr ' ' '|')|$stage_pictures)\.(png|svg)"
step='([0-9]{9}|[1-9][0-9]{9,17})'
whole="(checkpoint(-before)?\.jck|series\.csv|result\.h5|summary\.txt|(spheres|contacts|grains)\.pvd|trace-([1-9]|1[0-6])\.csv|$picture|\
vtk/(spheres|contacts|grains)-$step\.vtp|snapshots/$step\.h5)"
is_of_run="^($whole)$"
is_half="^($whole\.tmp-[0-9]+-[0-9]+)$"

go -o full --set checkpoint.steps=20 --set output.plots=true
expect_code 0 "a run with all outputs"
(cd full && find . -type f | sed 's#^\./##' | sort) > written
grep -Evq "$is_of_run" written && fail "a run writes files of other names: $(grep -Ev "$is_of_run" written)"
can_draw &&
  expect_same "$(grep -Ec "$picture" written)" $((2 * $(echo "$run_pictures" | wc -w) + 8)) "pictures"
expect_same "$(grep -Evc "$picture" written)" "$((8 + $(find full/vtk -type f | wc -l)))" "files beside pictures"
# One of the names that differ in their numbers only; limits of numbers come below
awk '{ form = $0; gsub(/[0-9]+/, "", form) } !seen[form]++' written > names
for name in $run_pictures; do
  echo "$name.png" >> names
  echo "$name.svg" >> names
done
one_picture=${run_pictures##* }.png
for name in grains-64.png rose-10.svg trace-16.csv \
  snapshots/000000007.h5 vtk/contacts-000000009.vtp vtk/spheres-1234567890.vtp vtk/grains-000000009.vtp grains.pvd \
  checkpoint.jck.tmp-4-0 result.h5.tmp-12-0 "$one_picture.tmp-1-999" vtk/spheres-000000009.vtp.tmp-5-1 \
  snapshots/000000007.h5.tmp-77-3 contacts.pvd.tmp-1-1 trace-2.csv.tmp-1-0; do
  echo "$name" >> names
done
sort -u -o names names

# Each of these names marks the directory as used, whatever kind of file it is
while read -r name; do
  for kind in file empty directory link; do
    rm -rf used
    mkdir -p "$(dirname "used/$name")"
    case $kind in
    file) echo "precious" > "used/$name" ;;
    empty) : > "used/$name" ;;
    directory) mkdir "used/$name" ;;
    link) ln -s nowhere "used/$name" ;;
    esac
    contents used > before
    go -o used
    expect_error 2 "jager run: used/$name exists already: --force replaces the run in used, -o takes another \
directory" "$kind $name"
    contents used > after
    cmp -s before after || fail "$kind $name: the directory was changed: $(diff before after)"
    # --force removes no more than files
    [ $kind = file ] || [ $kind = empty ] && continue
    go -o used --force
    expect_error 2 "jager run: used/$name is not a regular file, so that no run can have written it: remove it \
yourself, or take another directory" "--force, $kind $name"
    contents used > after
    cmp -s before after || fail "--force, $kind $name: the directory was changed: $(diff before after)"
  done
done < names

# Folders that are links: their targets do not belong to the run
go -o ran
for folder in vtk snapshots; do
  rm -rf used elsewhere
  mkdir used elsewhere
  ln -s ../elsewhere used/$folder
  for name in 000000020.h5 spheres-000000020.vtp contacts-000000020.vtp; do
    echo "precious" > elsewhere/$name
  done
  contents elsewhere > before
  cp ran/checkpoint.jck ran/series.csv used
  for option in --force --resume; do
    go -o used $option --set output.vtk=20 --set output.snapshot=20
    expect_told "$folder is not a directory, so that no run can have made it: remove it yourself" "$folder, $option"
    contents elsewhere > after
    cmp -s before after || fail "$folder is a link, $option: files elsewhere were changed: $(diff before after)"
  done
done

# --force removes all of them; files with similar names stay, as do all others
awk -v seed=$seed 'BEGIN { srand(seed); letters = "aAxX019.-_t ~" }
  { for (i = 0; i < 30; i++) {
      at = int(rand() * (length($0) + 1)); letter = substr(letters, int(rand() * length(letters)) + 1, 1)
      how = int(rand() * 4)
      if (how == 0) print substr($0, 1, at) letter substr($0, at + 1)
      else if (how == 1) print substr($0, 1, at) substr($0, at + 2)
      else if (how == 2) print substr($0, 1, at) letter substr($0, at + 2)
      else print substr($0, 1, at) toupper(substr($0, at + 1, 1)) substr($0, at + 2)
    } }' names > mutants
cat >> mutants << 'END'
trace-x.csv
trace-0.csv
trace-01.csv
trace-17.csv
vtk/contacts-9.vtp
snapshots/7.h5
vtk/mine.txt
snapshots/mine.h5
case.yaml
spheres.txt
mine.pvd.tmp-1-1
energy.pdf
checkpoint.jck.tmp
checkpoint-before.jck.tmp
summary.txt.bak
series.csv.bak
END
grep -Ev "$is_of_run" mutants | grep -Ev "$is_half" | grep -Ev '(^|/)\.*$|//' | sort -u > foreign
[ "$(wc -l < foreign)" -gt 200 ] || fail "only $(wc -l < foreign) names to try"
rm -rf mixed
mkdir mixed
while IFS= read -r name; do
  # Some names need a directory in place of a file
  case $name in
  */*) mkdir -p "mixed/${name%/*}" 2> /dev/null || continue ;;
  esac
  [ -d "mixed/$name" ] || echo "mine: $name" > "mixed/$name"
done < foreign
contents mixed | grep -v '^\.\(/vtk\|/snapshots\)*$' > before
expect_foreign() {
  expect_code 0 "$1"
  contents mixed > after
  grep -vxF -f after before > lost && fail "$1: lost or changed: $(cat lost)"
  :
}
go -o mixed --set checkpoint.steps=20
expect_foreign "a directory with other files"
go -o mixed --set checkpoint.steps=20 --resume
expect_foreign "--resume among other files"
while read -r name; do
  echo "of an earlier run" > "mixed/$name"
done < names
go -o mixed --force --set output.vtk=0 --set output.snapshot=0 --set trace=[] --set stages.biaxial.until.steps=5
expect_foreign "--force among other files"
(cd mixed && find . -type f | sed 's#^\./##' | grep -E "$is_of_run|$is_half" | sort | tr '\n' ' ') > left
expect_same "$(cat left)" "checkpoint-before.jck checkpoint.jck result.h5 series.csv summary.txt " "what is left of \
an earlier run"

# Links to files of a run are not followed when it is replaced
rm -rf linked
go -o linked
ln linked/series.csv backup.csv
cksum < backup.csv > before
go -o linked --force --set stages.biaxial.until.steps=5
expect_code 0 "--force with a hard link elsewhere"
cksum < backup.csv | cmp -s - before || fail "--force wrote through a hard link"

# ---- What a run reads ------------------------------------------------------------------------------------------------

cat > spheres.txt << 'END'
cell 4e-3 4e-3 4e-3
1e-3 1e-3 1e-3 1e-3
3e-3 1e-3 1e-3 1e-3
1e-3 3e-3 1e-3 1e-3
3e-3 3e-3 1e-3 1e-3
1e-3 1e-3 3e-3 1e-3
3e-3 1e-3 3e-3 1e-3
1e-3 3e-3 3e-3 1e-3
3e-3 3e-3 3e-3 1e-3
END
for name in series.csv trace-1.csv "$one_picture" spheres.pvd result.h5 vtk/contacts-000000001.vtp \
  snapshots/000000001.h5 checkpoint.jck.tmp-4-0; do
  rm -rf reads
  mkdir -p reads/vtk reads/snapshots
  cp spheres.txt "reads/$name"
  contents reads > before
  go -o reads --force --set "assembly={file: reads/$name}"
  expect_error 2 "jager run: the run reads reads/$name, and would replace it: rename it, or take another \
directory" "spheres in $name"
  cp case.yaml "reads/$name"
  contents reads > before
  run run "reads/$name" -q -o reads --force
  expect_error 2 "jager run: the run reads reads/$name, and would replace it: rename it, or take another \
directory" "the case in $name"
  contents reads > after
  cmp -s before after || fail "the case in $name: the directory was changed: $(diff before after)"
done

# ---- What a run starts from ------------------------------------------------------------------------------------------

# First: the run that wrote the checkpoints. Next: one that continues from them in the same directory.
small_case case.yaml 100 100
cat > next.yaml << 'END'
jager: 1
material: {shear_modulus: 29 GPa, poisson: 0.15, friction: 0.5, density: 2650 kg/m3}
assembly: {checkpoint: here/NAME}
output: {series: 20, plots: false}
stages:
  - name: back
    control: {xx: {stress: 100 kPa}, yy: {strain_rate: 0}, zz: {strain_step: -2e-6}}
    until: {steps: 3000}
END
run run case.yaml -q --threads 1 -o first --set checkpoint.steps=60
expect_code 0 "the first run"
expect_files first/checkpoint.jck first/checkpoint-before.jck

for name in checkpoint.jck checkpoint-before.jck; do
  sed "s/NAME/$name/" next.yaml > from.yaml
  rm -rf here elsewhere
  cp -r first here
  run run from.yaml -q --threads 1 -o elsewhere
  expect_code 0 "from $name, elsewhere"
  hash=$(hash_told)
  cmp -s first/$name here/$name || fail "from $name: a run elsewhere has changed it"

  # Killed when the first rows are there, and at random moments before and after
  for moment in rows $(awk -v s=$seed 'BEGIN { srand(s); for (i = 0; i < 8; i++) printf "%.3f ", 0.08 * rand() }'); do
    rm -rf here
    cp -r first here
    rm here/series.csv
    "$program" run from.yaml -q --threads 1 -o here --force > out 2> err &
    pid=$!
    if [ "$moment" = rows ]; then
      wait_for_rows here/series.csv 3 $pid
    else
      sleep "$moment"
    fi
    kill -s KILL $pid 2> /dev/null
    wait $pid 2> /dev/null
    whole=0
    for file in here/checkpoint.jck here/checkpoint-before.jck; do
      run info $file
      [ $code -ne 0 ] || whole=$((whole + 1))
    done
    [ $whole -gt 0 ] || fail "from $name, killed at $moment: no checkpoint is left"
    run run from.yaml -q --threads 1 -o here --resume
    if [ $code -eq 0 ]; then
      expect_same "$(hash_told)" "$hash" "from $name, killed at $moment, resumed: hash"
      cmp -s elsewhere/series.csv here/series.csv || fail "from $name, killed at $moment: series.csv differs"
    elif [ "$moment" = rows ]; then
      fail "from $name, killed at $moment: not resumed: $(cat err)"
    else
      cmp -s first/$name here/checkpoint.jck || cmp -s first/$name here/checkpoint-before.jck ||
        fail "from $name, killed at $moment: neither resumed nor kept"
    fi
  done

  # Uninterrupted; through a link as well
  rm -rf here
  cp -r first here
  run run from.yaml -q --threads 1 -o here --force
  expect_code 0 "from $name"
  expect_same "$(hash_told)" "$hash" "from $name: hash"
  rm -rf here
  cp -r first here
  ln -sf here/$name link.jck
  run run from.yaml -q --threads 1 -o here --force --set 'assembly={checkpoint: link.jck}'
  expect_code 0 "from $name by a link"
  expect_same "$(hash_told)" "$hash" "from $name by a link: hash"

  # No room for a checkpoint: the one that it started from stays
  rm -rf here
  cp -r first here
  (ulimit -f 8 && run run from.yaml -q --threads 1 -o here --force && exit $code)
  code=$?
  expect_code 1 "from $name without room"
  expect_told "jager run: the checkpoint that the run started from is kept in here/$name" "from $name without room"
  cmp -s first/$name here/$name || fail "from $name without room: it is lost"
done
finish
