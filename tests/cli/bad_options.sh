# SPDX-License-Identifier: MIT
# Wrong command lines: a clear message and exit code 2.
# shellcheck source=tests/cli/common.inc
. "$2/tests/cli/common.inc"

# bad MESSAGE OPTIONS...
bad() {
  message=$1
  shift
  printf 'zeta,xi1\n0.001,0\n' > in
  run contact "$@"
  expect_error 2 "jager contact: $message" "$*"
  [ ! -s out ] || fail "$*: wrote to stdout"
}

bad "--friction: 'much' is not a number: write it like 0.0025 or 2.5e-3" --friction much
bad "--friction: the friction coefficient must lie in [0, 1e6]" --friction -1
bad "--poisson, --poisson-b: Poisson's ratio must lie in (-1, 0.5]" --poisson 0.6
bad "--poisson, --poisson-b: Poisson's ratio must lie in (-1, 0.5]" --poisson-b -1
bad "--shear-modulus, --shear-modulus-b: the shear modulus must lie in [1e-60, 1e60]; one of two bodies may be rigid \
(infinite)" --shear-modulus 0
bad "--shear-modulus, --shear-modulus-b: only one of the bodies can be rigid" --shear-modulus inf
bad "--dp-max: dp_max must be finite and not negative, and zero where there is a tolerance" --dp-max -0.1
bad "--dp-max: dp_max must be finite and not negative, and zero where there is a tolerance" --dp-max 0.1 --tolerance 0.1
bad "--tolerance: the tolerance must lie in [0, 1], and be zero where there is a dp_max" --tolerance 2
bad "--tolerance needs --model jager: the others have no history to keep short" --model linear --tolerance 0.1
bad "--radius, --radius-a, --radius-b: a radius must be positive, and one of the two finite" --radius 0
bad "--radius, --radius-a, --radius-b: a radius must be positive, and one of the two finite" --radius inf
bad "--radius is the radius of both spheres: give it alone, or --radius-a and --radius-b" --radius 1 --radius-a 2
bad "--radius-a needs --radius-b, or --wall" --radius-a 1
bad "--radius-b needs --radius-a" --radius-b 1
bad "--radius-b contradicts --wall: a flat wall has no radius" --wall --radius-a 1 --radius-b 1
bad "--radius is for spheres: cones and power contours have no radius" --contour cone --slope 1 --radius 1
bad "--contour: there is no contour 'cube': take sphere, cone or power" --contour cube
bad "--contour cone needs --slope" --contour cone
bad "--contour power needs --exponent" --contour power --slope 1
bad "--slope needs --contour cone or --contour power" --slope 1
bad "--exponent needs --contour power" --contour cone --slope 1 --exponent 2
bad "--contour: a cone needs a slope > 0; a power law a slope > 0 and an exponent in [1, 100]" --contour cone --slope 0
laws="take jager, linear, hertz-mindlin, modified-mindlin, zhang-vuquoc or springs"
bad "--model: there is no model 'cundall': $laws" --model cundall
bad "--model: there is no model 'hertz': did you mean 'hertz-mindlin'? $laws" --model hertz
bad "--model: there is no model 'sprins': did you mean 'springs'? $laws" --model jager,sprins
bad "--model: there is no model '': $laws" --model jager,
bad "--model: jager is there twice" --model jager,linear,jager
bad "--springs needs --model springs" --springs 100
bad "--springs: '7' must be a whole number from 8 to 1000000" --model springs --springs 7
bad "--springs: '1e9' must be a whole number from 8 to 1000000" --model springs --springs 1e9
bad "--springs: '10.5' must be a whole number from 8 to 1000000" --model springs --springs 10.5
bad "--springs: 'many' must be a whole number from 8 to 1000000" --model springs --springs many
bad "--control force needs --model jager: springs cannot be driven by force" --model jager,springs --control force
bad "--kn needs --model linear" --kn 1
bad "--kn, --kt: linear stiffnesses must be finite and not negative (0: derive them)" --model linear --kn 1 --kt -1
bad "--kn must be positive" --model linear --kn 0
bad "--kn-at must be positive" --model linear --kn-at 0
bad "--kn-at contradicts --kn: give one of them" --model linear --kn 1 --kn-at 0.01
bad "--kn-at needs --model linear" --kn-at 0.01
bad "--radius is for spheres: cones and power contours have no radius" --model linear --contour cone --slope 1 \
  --radius 2
bad "--dp-max needs --model jager: the others have no history to merge" --model linear --dp-max 0.1
bad "--control: 'speed' is not possible: take displacement or force" --control speed
models=$(all_models)
for model in ${models#jager}; do
  bad "--control force needs --model jager: $model cannot be driven by force" --model $model --control force
  bad "--history needs --model jager: $model has no equivalent history" --model $model --history h.csv
  bad "--tractions needs --model jager: $model has no tractions" --model $model --tractions t.csv
done
bad "--plot: 'picture.gif' must end with .png, .svg or .pdf" --plot picture.gif
bad "--history and --tractions are the same file" --history x.csv --tractions x.csv
bad "more than one path: 'b.csv'" a.csv b.csv
bad "unrecognized option '--speed'" --speed

echo "zeta,xi1" > path.csv
ln path.csv other.csv
bad "the path and --history are the same file" path.csv --history other.csv

# Commands
run
expect_error 2 "jager: no command is given" "no command"
run contakt
expect_error 2 "jager: there is no command 'contakt'" "wrong command"
grep -q '^  contact ' err || fail "the commands are not listed"
run --contact
expect_error 2 "jager: unknown option '--contact': options follow the command" "wrong option"
run --help
expect_code 0 "--help"
grep -q '^  contact ' out || fail "--help does not list the commands"
run --version
expect_code 0 "--version"
grep -Eq '^jager [0-9]+\.[0-9]+\.[0-9]+$' out || fail "--version"

# The options of each command, with their arguments, under their headings
while read -r command wanted; do
  run "$command" --help
  expect_code 0 "$command --help"
  expect_same "$(awk '/^ [A-Z].*:$/ { printf " %s", $NF } match($0, /^  +(-[a-z], )?--[^ ]+/) {
    words = substr($0, 1, RLENGTH); gsub(/ |--/, "", words); printf " %s", words }' out)" " $wanted" "$command --help"
done << END
run force json -o,output=DIR -q,quiet resume set=KEY=VALUE threads=N usage
check set=KEY=VALUE usage
info input json usage
moduli json -o,output=FILE plot=FILE -q,quiet set=KEY=VALUE threads=N usage
contact bodies: contour=SHAPE exponent=ALPHA friction=F poisson=NU poisson-b=NU radius=R radius-a=RA radius-b=RB \
shear-modulus=G shear-modulus-b=G slope=A wall model: dp-max=X kn=KN kn-at=ZETA kt=KT model=NAMES springs=N \
tolerance=TAU output: control=WHAT history=FILE plot=FILE tractions=FILE usage
impact impact: angle=LIST psi=LIST speed=V wall bodies: damping=BETA density=RHO density-b=RHO friction=F poisson=NU \
poisson-b=NU radius=R radius-b=R shear-modulus=G shear-modulus-b=G model: model=NAMES springs=N steps=N Output: \
plot=FILE usage
END
finish
