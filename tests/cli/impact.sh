# SPDX-License-Identifier: MIT
# Impacts: the columns, the ends of the curve of Maw, Barber and Fawcett, wrong options, pictures.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

header=model,angle,psi1,psi2,e_normal,e_tangential,spin,energy_lost,rebound_angle,spin_b,lost_in_dashpots,energy_error,\
psi2_error,force_error,steps
run impact --poisson 0.3 --psi 0.5,1.5,2.5
expect_code 0 "three impacts"
expect_same "$(head -n 1 out)" "$header" "header"
expect_same "$(column model out | tr '\n' ' ')" "jager jager jager " "models"
expect_same "$(column psi1 out | tr '\n' ' ')" "0.5 1.5 2.5 " "psi1"
awk -F, 'NR > 1 && !($5 > 0.99999 && $5 < 1.00001 && $8 > 0 && $8 < 1 && $12 * $12 < 1e-12 && $13 < 1e-5) { exit 1 }' \
  out || fail "elastic along the normal, and accurate: $(cat out)"
cp out once
run impact --poisson 0.3 --psi 0.5,1.5,2.5
cmp -s out once || fail "another result the second time"

# Sliding: psi2 = psi1 - 4 chi, chi = 7(1 - nu)/(2(2 - nu)), for spheres, walls and all laws, with any friction
for words in "" --wall "--friction 0.1" "--radius-b 3e-3" "--wall --friction 0.3"; do
  # shellcheck disable=SC2086
  run impact --poisson 0.3 --psi 6:9:1 --speed 1e-5 --steps 500 $words \
    --model jager,linear,hertz-mindlin,modified-mindlin,zhang-vuquoc,springs --springs 100
  expect_code 0 "sliding $words"
  expect_same "$(wc -l < out | tr -d ' ')" 25 "rows of six laws, $words"
  awk -F, 'NR > 1 { d = $4 - ($3 - 4 * 7 * 0.7 / (2 * 1.7)); if (d > 2e-3 || d < -2e-3) exit 1 }' out ||
    fail "sliding $words: $(cat out)"
done

# The same impact by its angle: tan = psi kappa f, kappa = (2 - nu)/(2(1 - nu))
run impact --poisson 0.3 --psi 2.5
cut -d, -f4- out > by-psi
run impact --poisson 0.3 --angle "$(column angle once | tail -n 1)"
awk -F, 'NR == 1 { next } { for (i = 4; i <= 9; i++) print $i }' out > by-angle
awk -F, 'NR == 1 { next } { for (i = 1; i <= 6; i++) print $i }' by-psi | paste - by-angle |
  awk '{ d = $1 - $2; if (d > 1e-9 || d < -1e-9) exit 1 }' || fail "the angle is another impact"

# Defaults, as --help tells them; each counts
run impact --psi 2.5
cp out default
others=$(tr -s ' \n' '  ' << 'END'
--speed 1e-4 --shear-modulus 29e9 --poisson 0.3 --density 2650 --radius 1e-3 --shear-modulus-b 29e9 --poisson-b 0.3
--density-b 2650 --radius-b 1e-3 --friction 0.5 --damping 0 --model jager --steps 2000
END
)
# shellcheck disable=SC2086
run impact --psi 2.5 $others
cmp -s out default || fail "the defaults, said aloud: another result"
for words in "--speed 2e-4" "--shear-modulus 28e9" "--poisson 0.31" "--density 2700" "--radius 2e-3" \
  "--shear-modulus-b 28e9" "--poisson-b 0.31" "--density-b 2700" "--radius-b 2e-3" "--friction 0.6" "--damping 0.1" \
  "--steps 1000"; do
  # shellcheck disable=SC2086
  run impact --psi 2.5 $words
  expect_code 0 "$words"
  cmp -s out default && fail "$words changes nothing"
done
run impact
expect_same "$(wc -l < out) $(sed -n '2p; $p' out | cut -d, -f3 | tr '\n' ' ')" "29 0.25 7 " "the default list"
run impact --psi 2.5 --model springs --steps 100
cp out default
run impact --psi 2.5 --model springs --steps 100 --springs 1000
cmp -s out default || fail "the default number of springs: another result"

# Head-on
run impact --psi 0
expect_code 0 "head-on"
expect_same "$(column psi2 out),$(column spin out),$(column e_tangential out)" "0,0,nan" "head-on"

# Energy: jager creates none; the incremental laws do near normal impact, and their energies show it
run impact --poisson 0.3 --psi 0.001 --model jager,zhang-vuquoc,modified-mindlin
awk -F, '$1 == "jager" { if ($8 < 0 || $6 > 1 || $6 < -1) exit 1 }
  $1 ~ /mindlin|vuquoc/ { if ($8 > 0 || $6 > -2 || $12 * $12 > 1e-12) exit 1; n++ } END { exit n != 2 }' out ||
  fail "energies: $(cat out)"

# Dashpots
run impact --psi 1 --damping 0.2
awk -v e="$(column e_normal out)" 'BEGIN { exit !(e > 0.3 && e < 0.8) }' || fail "damping: $(cat out)"

# bad MESSAGE OPTIONS...
bad() {
  message=$1
  shift
  run impact "$@"
  expect_error 2 "jager impact: $message" "$*"
  [ ! -s out ] || fail "$*: wrote to stdout"
}

laws="take jager, linear, hertz-mindlin, modified-mindlin, zhang-vuquoc or springs"
bad "--model: there is no model 'jaeger': did you mean 'jager'? $laws" --model jaeger
bad "--model: springs is there twice" --model springs,springs
bad "--springs needs --model springs" --springs 100
bad "--psi: 'x' is neither a number such as 1.5 nor a range FROM:TO:STEP" --psi 1,x
bad "--psi: '' is neither a number such as 1.5 nor a range FROM:TO:STEP" --psi 1,
bad "--psi: 'inf' is neither a number such as 1.5 nor a range FROM:TO:STEP" --psi inf
bad "--psi: '1:2:3:4' is neither a number such as 1.5 nor a range FROM:TO:STEP" --psi 1:2:3:4
bad "--psi: the range '1:2' must be FROM:TO:STEP" --psi 1:2
bad "--psi: '2:1:0.1' must be FROM:TO:STEP with FROM <= TO and STEP > 0" --psi 2:1:0.1
bad "--psi: '1:2:0' must be FROM:TO:STEP with FROM <= TO and STEP > 0" --psi 1:2:0
bad "--psi: '0:1:1e-6' has more than 10000 values" --psi 0:1:1e-6
bad "--psi: -1 must not be negative, and less than 1e+06" --psi -1
bad "--psi: 1e+07 must not be negative, and less than 1e+06" --psi 1e7
bad "--angle: 90 must not be negative, and less than 90 degrees" --angle 10,90
bad "--angle contradicts --psi: give one of them" --psi 1 --angle 1
bad "--psi: at 1000 the spheres fly past each other before the contact ends: lower --speed from 0.0001 m/s" --psi 1,1000
bad "--angle: at 89.99 the spheres fly past each other before the contact ends: lower --speed from 0.0001 m/s" \
  --angle 89.99
bad "--friction: 0 must lie between 1e-06 and 1e+06" --friction 0
bad "--friction: 'a' is not a number: write it like 0.0025 or 2.5e-3" --friction a
bad "--poisson, --poisson-b: Poisson's ratio must lie in (-1, 0.5]" --poisson 0.6
bad "--shear-modulus, --shear-modulus-b: the shear modulus must lie in [1e-60, 1e60]; one of two bodies may be rigid \
(infinite)" --shear-modulus -1
bad "--density: 0 must lie between 1e-09 and 1e+09" --density 0
bad "--radius: -1 must lie between 1e-09 and 1e+09" --radius -1
bad "--radius-b contradicts --wall: a wall has neither radius nor density" --wall --radius-b 1
bad "--density-b contradicts --wall: a wall has neither radius nor density" --wall --density-b 1
bad "--damping: 1.5 must lie between 0 and 1" --damping 1.5
bad "--steps: 5 must lie between 10 and 1e+06" --steps 5
bad "--steps: 10.5 is not a whole number" --steps 10.5
bad "--speed: 0 must lie between 1e-30 and 1e+30" --speed 0
bad "--plot: 'picture.gif' must end with .png, .svg or .pdf" --plot picture.gif
bad "'path.csv' is no option: this command reads no file" path.csv
bad "unrecognized option '--mass'" --mass 1
run impact --speed 1000
expect_code 2 "too fast"
grep -q "^jager impact: --speed: at 1000 m/s the spheres would overlap by .* of a radius" err || fail "too fast"
run impact --speed 1e-20
expect_code 2 "too slow"
run impact --help
tr -s ' \n' '  ' < out | grep -q 'zhang-vuquoc or springs' || fail "--help does not list the laws"

# What a picture is made of: the rows of the table. kappa = (4 - nu - nu_b)/(2(2 - nu - nu_b)), chi = 7/(4 kappa)
while IFS='|' read -r title kappa words; do
  # shellcheck disable=SC2086
  (python_that 'cat; printf "\njager: drawn 1\n"' &&
    run impact --psi 0,0.5,8 --steps 100 --model jager,linear --plot numbers.svg $words && exit "$code")
  expect_same $? 0 "the numbers of a picture, $words"
  command -v python3 > /dev/null || continue
  python3 - out numbers.svg "$title" "$kappa" << 'END' || fail "other numbers, $words: $(cat numbers.svg)"
import csv, json, sys
told, _ = json.JSONDecoder().raw_decode(open(sys.argv[2]).read())
rows = [[row["model"], *(float(row[name]) for name in ("psi1", "psi2", "energy_lost"))]
        for row in csv.DictReader(open(sys.argv[1]))]
assert [[of["law"], *point] for of in told["laws"] for point in of["points"]] == rows, rows
assert told["title"] == sys.argv[3], told["title"]
above, below = map(float, sys.argv[4].split("/"))
assert abs(told["chi"] * 4 / 7 * above / below - 1) < 1e-12, told["chi"]
END
done << END
Impact of two spheres: f = 0.5, ν = 0.3, κ = 1.214, 100 steps|3.4/2.8|
Impact of two spheres: f = 0.2, ν = 0.3 and 0.2, κ = 1.167, 100 steps|3.5/3|\
--friction 0.2 --poisson-b 0.2
Impact of a sphere and a wall: f = 0.5, ν = 0.3, κ = 1.214, 100 steps|3.4/2.8|--wall
END

# Pictures
if can_draw; then
  for ending in png svg pdf; do
    run impact --steps 100 --model jager,springs --springs 50 --plot curve.$ending
    expect_code 0 "picture, $ending"
    [ -s curve.$ending ] || fail "no picture, $ending"
  done
  grep -q springs curve.svg || fail "the picture does not name the laws"
  run impact --steps 100 --psi 0 --plot point.png
  expect_code 0 "picture of one point"
  run impact --plot nowhere/curve.png
  expect_error 1 "jager impact: cannot write nowhere/curve.png: No such file or directory" "no directory"
  [ ! -s out ] || fail "no directory: the impacts were computed"
  echo old > old.png
  (ulimit -f 1 && run impact --steps 100 --plot old.png && exit $code)
  code=$?
  expect_code 1 "picture with files of limited size"
  expect_same "$(cat old.png)" old "an old picture stays"
fi

# Ranges have the numbers that one would write
run impact --psi 0.1:2.5:0.1 --steps 100
expect_same "$(sed -n '4p; 25p' out | cut -d, -f3 | tr '\n' ' ')" "0.3 2.4 " "numbers of a range"
finish
