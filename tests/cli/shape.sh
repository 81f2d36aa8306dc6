# SPDX-License-Identifier: MIT
# jager shape: shapes by name and from files of all kinds, its three outputs, and what is refused. test_dem_shape tests
# the numbers.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

# told LABEL: the numbers of a line of the description
told() {
  sed -n "s/^  $1  *//p" out
}

# ---- Names -----------------------------------------------------------------------------------------------------------

run shape nevada
expect_code 0 "nevada"
expect_same "$(cat err)" "" "nevada: stderr"
cat > expected << 'END'
nevada: 7 spheres

            x, m           y, m           z, m           r, m
               0              0              0            0.8
            0.64              0              0            0.6
           -0.64              0              0            0.6
               0           0.64              0            0.6
               0          -0.64              0            0.6
               0              0           0.64            0.6
               0              0          -0.64            0.6

  volume             4.6166341 m3; sum over the spheres 7.5733327 m3, 64.04 % more
  surface            15.83044 m2; sphericity 0.846983
  equal volume       sphere of radius 1.0329492 m
  farthest point     1.24 m from the centroid
  centroid           0 0 0 m
  mass               12234.08 kg at 2650 kg/m3
  inertia            xx 5620.9502, yy 5620.9502, zz 5620.9502, xy 0, xz 0, yz 0 kg m2
  principal 1        5620.9502 kg m2 along 1 0 0; 0.430606 of mass x squared radius of equal volume
  principal 2        5620.9502 kg m2 along 0 1 0; 0.430606 of mass x squared radius of equal volume
  principal 3        5620.9502 kg m2 along 0 0 1; 0.430606 of mass x squared radius of equal volume
END
cmp -s out expected || fail "nevada: $(diff expected out)"
sed 1d expected > expected.rest
run shape octahedron --core 0.8 --radius 0.6 --offset 0.64
expect_code 0 "an octahedron with its own numbers"
sed 1d out | cmp -s - expected.rest || fail "nevada is another octahedron"
run shape sphere --diameter 2e-3 --density 1000
expect_code 0 "a sphere"
expect_same "$(told mass)" "4.1887902e-06 kg at 1000 kg/m3" "the mass of a sphere"
expect_same "$(told surface)" "1.256637e-05 m2; sphericity 1" "the surface of a sphere"
expect_same "$(told 'equal volume')" "sphere of radius 0.001 m" "the radius of a sphere"
for name in toyoura pair tetrahedron; do
  run shape $name --diameter 0.2e-3 --csv
  expect_code 0 "$name"
  mv out $name.csv
  run shape $name.csv
  expect_same "$(told 'equal volume')" "sphere of radius 0.0001 m" "$name, written and read"
done
run shape pair --radius 1 --offset 0
expect_same "$(head -n 1 out)" "pair: 1 spheres; 1 left out, which lie within others" "a pair of one sphere"

# ---- Files -----------------------------------------------------------------------------------------------------------

# same FILE NAME: the file has the spheres of grain.csv, to the bit
printf 'x,y,z,r\n0,0,0,1\n1,1,0.25,0.8\n0.5,1.5,0,0.3\n' > grain.csv
same() {
  run shape "$1" --csv
  expect_code 0 "$2"
  cmp -s out spheres || fail "$2: $(cat out err)"
}
run shape grain.csv --csv
expect_code 0 "CSV"
mv out spheres
cat > clump.txt << 'END'
  0.000000,  0.000000,  0.000000,  1.000000
  1.000000,  1.000000,  0.250000,  0.800000
  0.500000,  1.500000, -0.000000,  0.300000
END
same clump.txt "CSV as CLUMP of MATLAB writes it"
printf '0e+00,0e+00,0e+00,1e+00\n1e+00,1e+00,2.5e-01,8e-01\n5e-01,1.5e+00,0e+00,3e-01\n' > clump.py.txt
same clump.py.txt "CSV as CLUMP of Python writes it"
printf '\357\273\277# a grain\r\nr , z,y,x\r\n\r\n1,0,0,0 # core\r\n0.8,0.25,1,1\r\n0.3,0,1.5,0.5' > columns.csv
same columns.csv "other columns, a byte-order mark, CRLF and comments"
printf '#format x_y_z_r\n0 0 0 1\n1\t1 0.25 0.8\n0.5 1.5 0 0.3\n' > blanks.txt
same blanks.txt "blanks for commas"
printf 'Coords\n\n3 atoms # three\n2 mass\n\nDiameters\n\n1 2\n2 1.6\n3 0.6\n\nTypes # of atoms\n\n1 1\n2 1\n3 C\n
Coords\n\n3 0.5 1.5 0\n1 0 0 0\n2 1 1 0.25 # high\n' > grain.mol
same grain.mol "a molecule"

# Written as a molecule, it is read as the same grain, in its own frame
run shape grain.csv --align --diameter 1.5e-3
expect_code 0 "aligned"
sed -n '2,$p' out > aligned
run shape grain.csv --molecule --diameter 1.5e-3
expect_code 0 "--molecule"
cp out written.mol
run shape written.mol
expect_code 0 "a molecule that was written"
sed -n '2,$p' out | sed 's/centroid .*/centroid           0 0 0 m/' > again
cmp -s again aligned || fail "a molecule that was written: $(diff aligned again)"
awk '
  $2 == "mass" { mass = $1 }
  $4 == "com" { com = $1 == 0 && $2 == 0 && $3 == 0 }
  $7 == "inertia" { diagonal = $4 == 0 && $5 == 0 && $6 == 0 && 0 < $1 && $1 < $2 && $2 < $3 }
  /^[A-Z]/ { section = $1; next }
  section == "Masses" && NF == 2 { sum += $2 }
  section == "Diameters" && NF == 2 { diameters++ }
  END { exit !(com && diagonal && diameters == 3 && sum / mass - 1 < 1e-15 && 1 - sum / mass < 1e-15) }
' written.mol || fail "a molecule: $(cat written.mol)"

# ---- What is refused -------------------------------------------------------------------------------------------------

# refuses MESSAGE ARGS...
refuses() {
  message=$1
  shift
  run shape "$@"
  expect_error 2 "$message" "$*"
  [ ! -s out ] || fail "$*: something is printed: $(cat out)"
}

# bad MESSAGE ARGS...: the command line
bad() {
  message="jager shape: $1"
  shift
  refuses "$message" "$@"
}

names="sphere, nevada, toyoura, pair, tetrahedron and octahedron"
bad "no shape is given: take a file, or one of $names"
bad "more than one shape: 'pair'" nevada pair
bad "--csv contradicts --molecule: give one of them" nevada --csv --molecule
bad "nevada is one shape: core, radius and offset are for pair, tetrahedron and octahedron" nevada --core 1
bad "--radius, --offset and --core are for pair, tetrahedron and octahedron, not for files" grain.csv --radius 1
bad "--diameter needs a number from 1e-30 to 1e30, not '0'" nevada --diameter 0
bad "--diameter needs a number from 1e-30 to 1e30, not '1 mm'" nevada --diameter "1 mm"
bad "--offset needs a number from 0 to 1e30, not '-1'" pair --offset -1
bad "--density needs a number from 1e-30 to 1e30, not 'inf'" pair --density inf
bad "cannot read .: it is a directory" .
bad "cannot read /dev/null: it is not a regular file" /dev/null
loose="the spheres do not hang together: no chain of spheres that touch or overlap leads from this one to the first"
bad "$loose" pair --offset 1.5
run shape cube
expect_error 1 "jager shape: there is neither a file nor a shape 'cube': shapes are $names" "missing"

# wrong PLACE MESSAGE TEXT: a file with this text
wrong() {
  # shellcheck disable=SC2059
  printf "$3" > wrong.txt
  refuses "wrong.txt$1: $2" wrong.txt
}

four="a sphere is four numbers, x,y,z,r"
number="a number is needed, such as 0.0025 or 2.5e-3"
header="a header names the columns x, y, z and r"
wrong "" "a shape needs a sphere" ""
wrong "" "a shape needs a sphere" "x,y,z,r\n"
wrong ":1:4" "$four" "1,2\n"
wrong ":2:9" "$four" "0,0,0,1\n1,1,1,1,1\n"
wrong ":2:3" "$number" "0,0,0,1\n1,,1,1\n"
wrong ":2:5" "$number" "0,0,0,1\n1,1,one,1\n"
wrong ":1:7" "$number" "0,0,0,1e999\n"
wrong ":3:1" "a radius must be positive" "x,y,z,r\n0,0,0,1\n1,1,1,-1\n"
wrong ":2:3" "$loose" "0,0,0,1\n  3,0,0,1\n"
wrong ":1:5" "$header" "x,y,q,r\n"
wrong ":1:5" "$header" "x,y,y,r\n"
wrong ":1:9" "$header" "x,y,z,r,d\n"
wrong ":1:3" "a character that is not allowed: the file must be plain text (ASCII or UTF-8)" "0,\0010,0,1\n"
awk 'BEGIN { for (i = 0; i < 101; i++) print 0.1 * i ",0,0,1" }' > many.csv
refuses "many.csv:101:1: more than 100 spheres" many.csv
sed '$d' many.csv > most.csv
run shape most.csv --csv
expect_same "$(wc -l < out | tr -d ' ')" 101 "the most spheres"
head -c 300000 /dev/zero | tr '\0' '\n' > long.csv
refuses "long.csv: longer than 256 kB: this is no shape" long.csv

ids="IDs are whole numbers from 1 to the number of atoms"
coords="Coords\n\n1 0 0 0\n2 1 0 0\n"
wrong ":2:1" "a shape has from 1 to 100 atoms" "\n101 atoms\n\n$coords"
wrong ":4:1" "$ids" "\n$coords"
wrong ":8:1" "$ids" "\n2 atoms\n\n${coords}3 0 0 0\n"
wrong ":8:1" "this ID comes twice" "\n2 atoms\n\n${coords}2 0 0 0\n"
wrong ":7:6" "a line of Coords is ID x y z" "\n2 atoms\n\nCoords\n\n1 0 0 0\n2 1 0\n"
wrong ":11:5" "a line of Diameters is ID d" "\n2 atoms\n\n${coords}\nDiameters\n\n1 1 1\n"
wrong ":7:1" "a radius must be positive" "\n2 atoms\n\n${coords}\nDiameters\n\n1 1\n2 0\n"
wrong "" "atom 2 has no diameter: a section Diameters gives it" "\n2 atoms\n\n${coords}\nDiameters\n\n1 1\n"
wrong "" "atom 1 has no diameter: a section Diameters gives it" "\n2 atoms\n\n${coords}"
wrong "" "atom 3 has no coordinates" "\n3 atoms\n\n${coords}\nDiameters\n\n1 1\n2 1\n3 1\n"

"$program" shape nevada > /dev/full 2> err
code=$?
expect_error 1 "jager: cannot write the standard output: No space left on device" "a full disk"

finish
