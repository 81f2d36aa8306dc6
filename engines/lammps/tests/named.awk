# SPDX-License-Identifier: MIT
# Prints the contacts of a dump local, with the diameters of the atoms instead of their IDs: diameters are unique here,
# and do not change when LAMMPS renumbers atoms.
#     awk -f named.awk ATOMS CONTACTS | sort
# ATOMS is a dump custom with the columns id and diameter. CONTACTS has the IDs of the two atoms, then the values eng,
# p1 to p10 of compute pair/local. Only contacts that touch (points, column 10, above 0) are printed. The first atom
# of the output is the smaller one; the tangential force, columns 6 to 8, acts on it.
/^ITEM: (ATOMS|ENTRIES)/ { rows = 1; next }
/^ITEM:/ { rows = 0; next }
!rows { next }
FILENAME == ARGV[1] { name[$1] = $2; next }
$10 > 0 {
  a = name[$1]; b = name[$2]
  if (a > b) { t = a; a = b; b = t; for (i = 6; i <= 8; i++) $i = sprintf("%.17g", -$i) }
  $1 = a; $2 = b
  print
}
