# SPDX-License-Identifier: MIT
# Contacts of a dump local (IDs of two atoms, values of compute pair/local), with the atoms called by their diameters instead of
# their IDs. Diameters are unique, and stay when LAMMPS renumbers atoms. The first atom is the smaller one; the tangential force,
# columns 6 to 8, is that on it. Columns behind the IDs: eng p1 ... p10; only contacts that touch (points > 0).
#     awk -f named.awk ATOMS CONTACTS | sort
# ATOMS is a dump custom with the columns id and diameter.
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
