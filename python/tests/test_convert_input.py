# SPDX-License-Identifier: MIT
"""Files that conversion reads: valid variants, and the errors of invalid ones, with file and line."""
from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jager._convert import Assembly, convert, read_assembly, write_assembly
from jager._errors import FormatError

JAGER = "# two spheres\ncell 1 2,3\t0.1 -0.2 0.3 # leans\n\n0.1 0.2 0.3 0.1\r\n  .5, 6e-1, +0.7 2.E-1\n"
DATA = """comment, 77 atoms
# more

  2 atoms # of sand
 0 bonds
3   atom types
-1 1 xlo xhi
0 2.0 ylo yhi
0 3e0 zlo zhi
0.1 -0.2 0.3 xy xz yz

Atoms  # sphere

7 3 0.4 2650 0.5 0.6 0.7 0 -1 2
4 1 0.2 2000 0.1 0.2 0.3 0 0 0 # the small one

Velocities

4 1 2 3 4 5 6
7 -1 -2 -3 -4 -5 -6
"""
DUMP = """ITEM: UNITS
si
ITEM: TIME
0.5
ITEM: TIMESTEP
100
ITEM: NUMBER OF ATOMS
2
ITEM: BOX BOUNDS xy xz yz pp pp ff
-1.2 1.1 0.1
0 2.3 -0.2
0 3 0.3
ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz ix
7 3 0.5 0.6 0.7 0.2 -1 -2 -3 -4 -5 -6 1
4 1 0.1 0.2 0.3 0.1 1 2 3 4 5 6 0
"""
FRAME = DUMP[DUMP.index("ITEM: TIMESTEP"):]
CSV = "# cell 1 2 3 0.1 -0.2 0.3\nx,y,z,radius\n0.1,0.2,0.3,0.1\n 0.5, 0.6 ,0.7,0.2\n"
YADE = "#format x_y_z_r\n# comment\n0.1\t0.2\t0.3\t0.1\n0.5 0.6 0.7 0.2\n"
DEMPLA = "4\n 2  1 2 3.0E0\n 0.1 -0.2 0.3\n 0.1  0.1 0.2 0.3\n\n 2.E-1 .5 6e-1 +0.7\n"
PAIR = "cell 1 1 1\nshape 0 0 0 1  1 0 0 1\n"
CLUMPS = "7\n1 1 1 1\n0 0 0\n6\n0.6 0.8 0.64\n"
CELL = (1.0, 2.0, 3.0, 0.1, -0.2, 0.3)
GOOD = {"jager": JAGER, "lammps-data": DATA, "lammps-dump": DUMP, "csv": CSV, "yade": YADE,
        "dempla": DEMPLA}


def edited(text: str, old: str, new: str) -> str:
    """The text with one change."""
    assert text.count(old) >= 1
    return text.replace(old, new, 1)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A path for a source."""
    return tmp_path / "source"


# What is right


def test_jager_text(source: Path) -> None:
    source.write_bytes(JAGER.encode())
    a = read_assembly(source)
    assert a.positions.tolist() == [[0.1, 0.2, 0.3], [0.5, 0.6, 0.7]] and a.radii.tolist() == [0.1, 0.2]
    assert a.cell.tolist() == [[1.0, 0.1, -0.2], [0.0, 2.0, 0.3], [0.0, 0.0, 3.0]] and a.periodic == (True,) * 3
    assert a.density is None and a.ids is None
    source.write_text("\ufeffcell 1 1 1\n0 0 0 1")  # byte-order mark, no end of the last line
    assert len(read_assembly(source)) == 1


@pytest.mark.parametrize("text", [
    DATA,
    edited(DATA, "Atoms  # sphere", "Atoms"),
    edited(DATA, "-1 1 xlo xhi", "-1.0 1.0 xlo xhi # box"),
    edited(edited(DATA, " 0 -1 2\n", "\n"), " 0 0 0 #", " #"),
    DATA.replace("\n", "\r\n"),
    edited(edited(DATA, DATA[DATA.index("-1 1 xlo"):DATA.index("\nAtoms")],
                  "2 0 0 avec\n0.1 2 0 bvec\n-0.2 0.3 3 cvec\n-1 0 0 abc origin\n"), "comment", "units = si"),
])
def test_lammps_data(text: str, source: Path) -> None:
    source.write_bytes(text.encode())
    a = read_assembly(source)
    assert a.ids.tolist() == [4, 7] and a.types.tolist() == [1, 3] and a.density.tolist() == [2000, 2650]
    assert a.positions.tolist() == [[0.1, 0.2, 0.3], [0.5, 0.6, 0.7]] and a.radii.tolist() == [0.1, 0.2]
    assert a.cell.tolist() == [[2.0, 0.1, -0.2], [0.0, 2.0, 0.3], [0.0, 0.0, 3.0]] and a.origin.tolist() == [-1, 0, 0]
    assert a.velocities.tolist() == [[1, 2, 3], [-1, -2, -3]]
    assert a.angular_velocities.tolist() == [[4, 5, 6], [-4, -5, -6]] and a.beyond == {}


def test_other_sections_of_lammps_data(source: Path, tmp_path: Path) -> None:
    others = "Pair Coeffs # gran/hooke\n\n1\n2\n3\n\nMasses\n\n1 5.0\n\n"
    source.write_text(edited(DATA, "Velocities", others + "Velocities"))
    a = read_assembly(source)
    assert a.beyond == {"sections": "the sections Pair Coeffs, Masses"} and a.velocities is not None
    with pytest.raises(FormatError, match="CSV cannot hold the sections Pair Coeffs, Masses.*--drop sections"):
        convert(source, tmp_path / "a.csv")
    assert convert(source, tmp_path / "a.csv", drop=["sections"]) == a


def test_lammps_dump(source: Path) -> None:
    source.write_text(DUMP)
    a = read_assembly(source)
    assert a.ids.tolist() == [4, 7] and a.types.tolist() == [1, 3] and a.density is None
    assert a.positions.tolist() == [[0.1, 0.2, 0.3], [0.5, 0.6, 0.7]] and a.radii.tolist() == [0.1, 0.2]
    assert a.cell.tolist() == [[2.0, 0.1, -0.2], [0.0, 2.0, 0.3], [0.0, 0.0, 3.0]] and a.origin.tolist() == [-1, 0, 0]
    assert a.periodic == (True, True, False) and a.velocities.tolist() == [[1, 2, 3], [-1, -2, -3]]
    assert a.angular_velocities.tolist() == [[4, 5, 6], [-4, -5, -6]] and a.beyond == {}


def test_columns_of_dumps(source: Path) -> None:
    head = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS\n0 2\n0 2\n0 2\nITEM: ATOMS "
    for columns, row, density, others in (
            ("xu yu zu diameter mass element", "1 2 3 2 8 C", 8 / (4 / 3 * np.pi), {"columns": "the columns element"}),
            ("x y z xs ys zs radius diameter density q", "1 2 3 9 9 9 1 7 5 1", 5, {"columns": "the columns q"}),
            ("zs xs radius ys", "1.5 .5 1 1", None, {}),
            ("xsu ysu zsu radius v_density", ".5 1. 1.5 1 5", 5, {})):
        source.write_text(f"{head}{columns}\n{row}\n")
        a = read_assembly(source)
        assert a.positions.tolist() == [[1, 2, 3]] and a.radii.tolist() == [1] and a.periodic == (True,) * 3
        assert a.beyond == others and (a.density is None if density is None else a.density == pytest.approx(density))


def test_general_box_of_dumps(source: Path) -> None:
    text = edited(DUMP, "xy xz yz pp", "abc origin pp")
    source.write_text(edited(text, "-1.2 1.1 0.1\n0 2.3 -0.2\n0 3 0.3", "2 0 0 -1\n0.1 2 0 0\n-0.2 0.3 3 0"))
    assert read_assembly(source).cell.tolist() == [[2.0, 0.1, -0.2], [0.0, 2.0, 0.3], [0.0, 0.0, 3.0]]
    assert read_assembly(source).origin.tolist() == [-1, 0, 0]


def test_frames_of_dumps(source: Path) -> None:
    frames = [DUMP] + [edited(edited(FRAME, "100", str(step)), "0.5 0.6", f"{step} 0.6") for step in (200, 300)]
    source.write_text("".join(frames))
    assert read_assembly(source).positions[1, 0] == 300
    assert read_assembly(source, frame=200).positions[1, 0] == 200
    assert read_assembly(source, frame=100).positions[1, 0] == 0.5
    with pytest.raises(FormatError, match="source: there is no complete frame of step 5; there are 100, 200, 300"):
        read_assembly(source, frame=5)
    source.write_text("".join(frames + [frames[2].replace("300", str(step)) for step in range(400, 1200, 100)]))
    with pytest.raises(FormatError, match="there are 11: 100, 200, 300, ..., 1100"):
        read_assembly(source, frame=5)


def test_dumps_that_are_cut_off(source: Path) -> None:
    whole = edited(FRAME, "100", "200")
    for length in range(1, len(whole)):
        source.write_text(DUMP + whole[:length])
        assert read_assembly(source, frame=100).positions[1, 0] == 0.5
        with pytest.raises(FormatError) as caught:
            read_assembly(source)
        assert str(caught.value).startswith(f"{source}:") and str(caught.value).endswith(
            "the last frame is cut off; frame=100 (--frame 100) takes the last complete one")


def test_yade_text(source: Path) -> None:
    for text, ids, types in ((YADE, None, [1, 1]), (edited(YADE, "#format x_y_z_r\n", ""), None, [1, 1]),
                             ("#format x_y_z_r_matId\n.1 .2 .3 .1 0\n.5 .6 .7 .2 4\n", None, [1, 5]),
                             ("#format id_x_y_z_r_matId\n9 .5 .6 .7 .2 4\n3 .1 .2 .3 .1 0\n", [3, 9], [1, 5])):
        source.write_text(text)
        a = read_assembly(source, cell=CELL)
        assert a.positions.tolist() == [[0.1, 0.2, 0.3], [0.5, 0.6, 0.7]] and a.radii.tolist() == [0.1, 0.2]
        assert a.types.tolist() == types and (a.ids is None if ids is None else a.ids.tolist() == ids)
    source.write_text("#format x_y_z_r_attrs\n# dst a b\n1 1 1 1 5 7\n")
    assert read_assembly(source, cell=CELL).beyond == {"columns": "the attributes of YADE (2 columns)"}


def test_dempla_text(source: Path) -> None:
    source.write_text(DEMPLA)
    a, b = read_assembly(source), Assembly(positions=[[0.1, 0.2, 0.3], [0.5, 0.6, 0.7]], radii=[0.1, 0.2], cell=CELL)
    assert a == b


def test_csv(source: Path) -> None:
    source.write_text(CSV)
    a = read_assembly(source)
    assert a.positions.tolist() == [[0.1, 0.2, 0.3], [0.5, 0.6, 0.7]] and a.cell[0, 2] == -0.2
    source.write_text("diameter,z,name,y,x\n2,3,4,2,1\n")
    a = read_assembly(source, cell=CELL)
    assert a.positions.tolist() == [[1, 2, 3]] and a.radii.tolist() == [1]
    assert a.beyond == {"columns": "the columns name"}


def test_formats_are_recognised(tmp_path: Path) -> None:
    for name, text in GOOD.items():
        path = tmp_path / "any"
        path.write_text(text)
        cell = CELL if name == "yade" else None
        assert read_assembly(path, cell=cell) == read_assembly(path, name, cell=cell)
    path.write_text("0 0 0 1\n")
    assert read_assembly(path, cell=CELL) == read_assembly(path, "yade", cell=CELL)


# What is wrong

ERRORS = [
    ("jager", "", None, "there is no cell: a line 'cell LX LY LZ', in m; for a text of YADE give its cell"),
    ("jager", "0 0 0 1\n", None, "there is no cell"),
    ("jager", "cell 1 1 1\n", None, "there are no spheres"),
    ("jager", "cell 1 1 1\ncell 1 1 1\n", 2, "a second cell"),
    ("jager", "cell 1 1\n", 1, "a cell is 'cell LX LY LZ' or 'cell LX LY LZ XY XZ YZ', in m"),
    ("jager", "cell 1 1 nan\n", 1, "a cell is 'cell LX LY LZ'"),
    ("jager", "cell 1 1 0\n", 1, "the edges LX, LY, LZ of a cell must be positive"),
    ("jager", "cell 1 1 1\n0 0 1\n", 2, "a sphere is four numbers, X Y Z R, in m, not 3 words"),
    ("jager", "cell 1 1 1\n0 0 0 1\n0 0 0 0 1\n", 3, "a sphere is four numbers, X Y Z R, in m, not 5 words"),
    ("jager", "cell 1 1 1\n0 0 0 1\n\n0 0 x 1\n", 4, "a coordinate z must be a finite decimal number, not 'x'"),
    ("jager", "cell 1 1 1\n0 0 0 -1\n", 2, "a radius must be positive, not '-1'"),
    ("jager", "cell 1 1 1\n0 0 0 1e999\n", 2, "a radius must be a finite decimal number, not '1e999'"),
    ("jager", "cell 1 1 1\n0 0 1_0 1\n", 2, "must be a finite decimal number, not '1_0'"),
    ("jager", "cell 1 1 1\n0 0 0x1 1\n", 2, "must be a finite decimal number, not '0x1'"),
    ("jager", "cell 1 1 1\n0 0 0 1-\n", 2, "must be a finite decimal number, not '1-'"),
    ("jager", "cell 1 1 1\n0 inf 0 1\n", 2, "a coordinate y must be a finite decimal number, not 'inf'"),
    ("jager", "cell 1 1 1\n0 0 0 1" + 32768 * " " + "\n", 2, "longer than 32768 bytes: this is no file of spheres"),
    ("jager", "cell 1 1 1\nshape\n", 2, "a shape is 'shape X Y Z R', with up to 100 spheres of four numbers each"),
    ("jager", "cell 1 1 1\nshape 0 0 0 1 0\n", 2, "a shape is 'shape X Y Z R'"),
    ("jager", "cell 1 1 1\nshape " + 101 * "0 0 0 1 " + "\n", 2, "a shape is 'shape X Y Z R'"),
    ("jager", "cell 1 1 1\nshape 0 0 0 0\n", 2, "a radius must be positive"),
    ("jager", "cell 1 1 1\ngrain 0 0 0 1 1 0 0 0\n", 2, "there is no such shape: shapes stand before their grains"),
    ("jager", PAIR + "grain 0 0 0 1 1 0 0 0 1\n", 3, "there is no such shape"),
    ("jager", PAIR + "grain 0 0 0 1 1 0 0 0 0.5\n", 3, "there is no such shape"),
    ("jager", PAIR + "grain 0 0 0 1 1 0 0\n", 3, "a grain is 'grain X Y Z SCALE W QX QY QZ' and"),
    ("jager", PAIR + "grain 0 0 0 1 1 0 0 x\n", 3, "a grain is 'grain X Y Z SCALE W QX QY QZ' and"),
    ("jager", PAIR + "grain 0 0 0 0 1 0 0 0\n", 3, "the scale must be positive"),
    ("jager", PAIR + "grain 0 0 0 1 0 0 0 0\n", 3, "the quaternion W QX QY QZ must have a length that is not 0"),
    ("jager", PAIR, None, "there are no spheres"),
    ("jager", "cell 1 1 1\n0 0 0 \0\n", 2, "a NUL byte: this is no text file"),
    ("jager", "cell 1 1 1\n0 0 0 9e307\n0 0 0 1e308\n", None, "radii must be positive, and diameters finite"),
    ("dempla", "", None, "the kind of an assembly must be 4, spheres, or 7, clumps"),
    ("dempla", "\n5\n1 1 1 1\n", 2, "the kind of an assembly must be 4, spheres, or 7, clumps"),
    ("dempla", "7\n1 1 1 1\n0 0 0\n0.6 0.8 0.64\n", 4, "'number of satellites' and 'satellite-radius centre-radius "),
    ("dempla", "7\n1 1 1 1\n0 0 0\n4\n0.6 0.8 0.64\n", 4, "clumps must have 6 satellites: how 4 lie in the axes"),
    ("dempla", "7\n1 1 1 1\n0 0 0\n6\n0.6 0.8 0\n", 5, "radii and offset of a clump must be positive"),
    ("dempla", CLUMPS, None, "there are no grains"),
    ("dempla", CLUMPS + "1 0 0 0\n", 6, "a clump is eight numbers, r x1 x2 x3 and its quaternion w x y z, not 4 words"),
    ("dempla", CLUMPS + 2 * "1 0 0 0 1 0 0 0\n", 2, "1 grains are announced, and 2 follow"),
    ("dempla", CLUMPS + "1 0 0 0 1 1 0 0\n", 6, "the quaternion w x y z must have the length 1"),
    ("dempla", "4\n1 1 1\n", 2, "after the kind come the lines 'number of spheres, L1 L2 L3' and 'x12 x13 x23'"),
    ("dempla", "4\n1 1 1 1\n", None, "after the kind come the lines"),
    ("dempla", "4\n1 1 1 x\n0 0 0\n", 2, "'number of spheres, L1 L2 L3' must be finite decimal numbers"),
    ("dempla", "4\n1 1 -1 1\n0 0 0\n1 0 0 0\n", 2, "the edges LX, LY, LZ of a cell must be positive"),
    ("dempla", "4\n1 1 1 1\n0 0 0\n", None, "there are no spheres"),
    ("dempla", "4\n2 1 1 1\n0 0 0\n1 0 0 0\n", 2, "2 spheres are announced, and 1 follow"),
    ("dempla", "4\n1 1 1 1\n0 0 0\n1 0 0\n", 4, "a sphere is four numbers, r x1 x2 x3, not 3 words"),
    ("dempla", "4\n1 1 1 1\n0 0 0\n-1 0 0 0\n", 4, "a radius must be positive, not '-1'"),
    ("csv", "# cell 1 1 1\nx,y,z,radius,grain\n1,1,1,1,1\n1,1,1,1,2\n1,1,1,1,1\n", None,
     "the spheres of the grain 1 must follow each other, in the order of the ids"),
    ("csv", "# cell 1 1 1\nx,y,z,radius,grain\n1,1,1,1,-1\n", 3, "a grain must be an integer from 0 on, not '-1'"),
    ("lammps-data", DATA + "\nMolecules\n\n4 1\n", 24, "the section Molecules ends with 1 lines; the header says 2"),
    ("lammps-data", DATA + "\nMolecules\n\n4 1\n8 1\n", 25, "there is no atom with the id 8"),
    ("yade", "", None, "there are no spheres"),
    ("yade", "#format y_x\n", 1, "'#format' must be one of x_y_z_r, x_y_z_r_matId"),
    ("yade", "1 1 1 1\n#format x_y_z_r\n", 2, "'#format' must stand before the spheres"),
    ("yade", "1 1 1\n", 1, "a sphere is 'x y z r', in m, separated by blanks, not 3 words"),
    ("yade", "#format x_y_z_r_matId\n1 1 1 1 -1\n", 2, "matId must be an integer from 0 on, not '-1'"),
    ("csv", "", None, "there are no spheres"),
    ("csv", "# cell 1 1 1\nx,y,z\n1,1,1\n", 2, "the header must name the columns x, y, z and one of radius and"),
    ("csv", "x,y,radius\n", 1, "the header must name the columns x, y, z"),
    ("csv", "x,y,z,radius,x\n", 1, "the column 'x' occurs twice"),
    ("csv", "x,y,z,radius\n1,1,1,1\n", None, "there is no cell: a comment '# cell LX LY LZ', in m, or cell="),
    ("csv", "# cell 1 1 1\n# cell 1 1 1\n", 2, "a second cell"),
    ("csv", "# cell 1 1\n", 1, "a cell is 'cell LX LY LZ'"),
    ("csv", "# origin 1 1\n", 1, "the origin is '# origin X Y Z', in m"),
    ("csv", "# periodic yes no maybe\n", 1, "'# periodic' has three words, yes or no, for x, y and z"),
    ("csv", "# cell 1 1 1\nx,y,z,radius\n1,1,1\n", 3, "a row has as many fields as the header, 4, not 3 words"),
    ("csv", "# cell 1 1 1\nx,y,z,radius,vx\n1,1,1,1,1\n", None, "the header names a part of a vector, but not vy"),
    ("csv", "# cell 1 1 1\nx,y,z,radius,id\n1,1,1,1,4\n1,1,1,1,4\n", 4, "the id 4 occurs twice"),
    ("csv", "# cell 1 1 1\nx,y,z,radius,type\n1,1,1,1,0\n", 3, "a type must be an integer from 1 on, not '0'"),
    ("csv", "# cell 1 1 1\nx,y,z,radius,id\n1,1,1,1,9223372036854775808\n", 3, "an id must be an integer from 0 on"),
    ("csv", "# cell 1 1 1\nx,y,z,radius\n1,1,,1\n", 3, "must be a finite decimal number, not ''"),
    ("lammps-data", edited(DATA, "  2 atoms", "  2 bodies"), None, "there is no line 'N atoms' in the header"),
    ("lammps-data", edited(DATA, "  2 atoms", "  x atoms"), 4, "'x atoms' is neither a line of the header nor"),
    ("lammps-data", edited(DATA, "  2 atoms", "  2.5 atoms"), 4, "the header has lines such as '1000 atoms' and"),
    ("lammps-data", edited(DATA, "  2 atoms", "  @ atoms"), 4, "the header has lines such as '1000 atoms' and"),
    ("lammps-data", edited(DATA, "0 bonds", "2 atoms"), 5, "a second line 'atoms'"),
    ("lammps-data", edited(DATA, "  2 atoms", "  3 atoms"), 15, "the section Atoms ends with 2 lines; the header says"),
    ("lammps-data", edited(DATA, "  2 atoms", "  0 atoms"), None, "there are no spheres"),
    ("lammps-data", DATA[:DATA.index("Atoms")], None, "there is no section Atoms"),
    ("lammps-data", DATA[:DATA.index("7 -1")], 19, "the section Velocities ends with 1 lines; the header says 2 atoms"),
    ("lammps-data", DATA[:DATA.index("4 1 2 3")], 17, "the section Velocities ends with 0 lines"),
    ("lammps-data", edited(DATA, "-1 1 xlo xhi", ""), None, "there is no line 'LO HI xlo xhi'"),
    ("lammps-data", edited(DATA, "-1 1 xlo xhi", "1 xlo xhi"), 7, "the line must be 2 numbers and 'xlo xhi'"),
    ("lammps-data", edited(DATA, "-1 1 xlo xhi", "1 inf xlo xhi"), 7, "the line must be 2 numbers and 'xlo xhi'"),
    ("lammps-data", edited(DATA, "-1 1 xlo xhi", "1 -1 xlo xhi"), 7, "the bounds give no cell: the edges LX, LY, LZ"),
    ("lammps-data", edited(DATA, "0 bonds", "0 1 xlo xhi"), 7, "a second line 'xlo xhi'"),
    ("lammps-data", edited(DATA, "-1 1 xlo xhi", "1 0 0 avec"), None, "there is no line 'bvec'"),
    ("lammps-data", edited(DATA, "-1 1 xlo xhi", "1 1 0 avec\n0 1 0 bvec\n0 0 1 cvec\n0 0 0 abc origin"), 7,
     "a general triclinic box whose edges are not upper triangular"),
    ("lammps-data", edited(DATA, "# sphere", "# full"), 12, "the atom style is 'full'; only sphere is read"),
    ("lammps-data", edited(DATA, "Velocities", "Atom Type Labels"), 17, "type labels are not read"),
    ("lammps-data", edited(DATA, "Velocities", "Atoms"), 17, "a second section 'Atoms'"),
    ("lammps-data", edited(DATA, "Velocities", "velocities"), 17, "'velocities' is neither a line of the header nor"),
    ("lammps-data", edited(DATA, "0.7 0 -1 2", "0.7 0 -1"), 14, "an atom of style sphere is 'id type diameter density"),
    ("lammps-data", edited(DATA, "0.7 0 -1 2", "0.7"), 15, "an atom of style sphere is"),
    ("lammps-data", edited(DATA, "7 3 0.4", "4 3 0.4"), 15, "the id 4 occurs twice"),
    ("lammps-data", edited(DATA, "7 3 0.4", "0 3 0.4"), 14, "an id must be an integer from 1 on, not '0'"),
    ("lammps-data", edited(DATA, "7 3 0.4", "7 4 0.4"), 14, "the type is 4; the header says 3 atom types"),
    ("lammps-data", edited(DATA, "7 3 0.4", "7 3 0"), 14, "a diameter (an atom without one is no sphere) must be"),
    ("lammps-data", edited(DATA, "2650", "0"), 14, "a density must be positive, not '0'"),
    ("lammps-data", edited(DATA, "0.5 0.6", "0.5 nan"), 14, "y must be a finite decimal number, not 'nan'"),
    ("lammps-data", edited(DATA, "7 3 0.4", "nan 3 0.4"), 14, "an id must be an integer from 1 on, not 'nan'"),
    ("lammps-data", edited(DATA, "7 -1 -2", "8 -1 -2"), 20, "there is no atom with the id 8"),
    ("lammps-data", edited(DATA, "4 1 2 3 4 5 6", "4 1 2 3"), 19, "a velocity of style sphere is 'id vx vy vz"),
    ("lammps-data", edited(DATA, "comment", "LAMMPS, units = cgs"), 1, "the units are 'cgs'; only files in units si"),
    ("lammps-dump", "", None, "there is no frame: 'ITEM: TIMESTEP' is missing"),
    ("lammps-dump", "ITEM: UNITS\nmetal\n", 2, "the units are 'metal'; only files in units si"),
    ("lammps-dump", "hello\n", 1, "a line 'ITEM: ...' is expected"),
    ("lammps-dump", edited(DUMP, "NUMBER OF ATOMS", "NUMBER OF ENTRIES"), 7, "a line 'ITEM: ...' is expected"),
    ("lammps-dump", edited(DUMP, "\n100\n", "\n1.5\n"), 6, "a time step must be an integer, not '1.5'"),
    ("lammps-dump", edited(DUMP, "\n2\n", "\nmany\n"), 8, "the number of atoms must be an integer, not 'many'"),
    ("lammps-dump", edited(DUMP, "\n2\n", "\n1\n"), 15, "a line 'ITEM: ...' is expected (UNITS, TIME, TIMESTEP,"),
    ("lammps-dump", edited(DUMP, "\n2\n", "\n3\n"), 15, "the last frame is cut off"),
    ("lammps-dump", edited(DUMP, "\n2\n", "\n0\n")[:DUMP.index("7 3 0.5")], 5, "the frame of step 100 has no spheres"),
    ("lammps-dump", FRAME[FRAME.index("ITEM: NUM"):], 1, "ITEM: NUMBER OF ATOMS before any ITEM: TIMESTEP"),
    ("lammps-dump", edited(DUMP, "ITEM: NUMBER OF ATOMS\n2\n", ""), 11, "ITEM: ATOMS before ITEM: NUMBER OF ATOMS"),
    ("lammps-dump", "ITEM: TIMESTEP\n1\n" + FRAME, 3, "the frame of step 1 before has no ITEM: ATOMS"),
    ("lammps-dump", edited(DUMP, "pp pp ff", "pp pp"), 9, "is followed by three pairs such as 'pp' or 'ff'"),
    ("lammps-dump", edited(DUMP, "pp pp ff", "p p f"), 9, "is followed by three pairs such as 'pp' or 'ff'"),
    ("lammps-dump", edited(DUMP, "0 2.3 -0.2", "0 2.3"), 11, "a line of the box has 3 numbers"),
    ("lammps-dump", edited(DUMP, "0 2.3 -0.2", "0 x -0.2"), 11, "a line of the box has 3 numbers"),
    ("lammps-dump", edited(DUMP, "0 2.3 -0.2", "3 2.3 -0.2"), 10, "the bounds give no cell"),
    ("lammps-dump", edited(DUMP, "0.5 0.6", "0.5"), 14, "a row has as many columns as ITEM: ATOMS names, 13, not 12"),
    ("lammps-dump", edited(DUMP, "radius", "radii"), 13, "the column radius or diameter is missing"),
    ("lammps-dump", edited(DUMP, "x y z", "x y y"), 13, "the column 'y' occurs twice"),
    ("lammps-dump", edited(DUMP, "x y z", "x y zs"), 13, "the columns of a position are missing: x y z, xu yu zu"),
    ("lammps-dump", edited(DUMP, "vz", "c_1"), 13, "the column vz is missing: a vector has three"),
    ("lammps-dump", edited(DUMP, "0.7 0.2", "0.7 -0.2"), 14, "a radius must be positive, not '-0.2'"),
    ("lammps-dump", edited(DUMP, "7 3 0.5", "4 3 0.5"), 15, "the id 4 occurs twice"),
]


@pytest.mark.parametrize(("name", "text", "line", "why"), ERRORS)
def test_errors_name_file_and_line(name: str, text: str, line: int | None, why: str, source: Path) -> None:
    source.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_assembly(source, name, cell=CELL if name == "yade" else None)
    start = f"{source}: " if line is None else f"{source}:{line}: "
    assert str(caught.value).startswith(start) and why in str(caught.value), str(caught.value)


def test_errors_of_whole_files(source: Path, tmp_path: Path) -> None:
    for content, why in ((b"JAGERCKP\6", "a checkpoint; give the directory of the run"),
                         (b"\x1f\x8b\x08", "compressed; unpack it with gunzip"),
                         (b"hello\n", "the format is not recognised: give one of jager, lammps-data"),
                         (b"", "the format is not recognised"),
                         (b"0 0 0 1\n", "there is no cell")):
        source.write_bytes(content)
        with pytest.raises(FormatError) as caught:
            read_assembly(source)
        assert str(caught.value).startswith(f"{source}: {why}")
    source.write_bytes(b"cell 1 1 1\n\xff\n")
    with pytest.raises(FormatError, match="source:2: neither ASCII nor UTF-8"):
        read_assembly(source)
    with pytest.raises(FormatError, match="missing: cannot be read: No such file or directory"):
        read_assembly(tmp_path / "missing")
    with pytest.raises(FormatError, match="null: this is no regular file"):
        read_assembly("/dev/null")
    with pytest.raises(FormatError, match="there is neither result.h5 nor snapshots"):
        read_assembly(tmp_path)
    with pytest.raises(FormatError, match="this is no regular file"):
        read_assembly(tmp_path, "jager")


def test_options_that_do_not_fit(source: Path) -> None:
    for name, options, why in (("jager", {"frame": 5}, "jager's text has no frames"),
                               ("jager", {"cell": CELL}, "jager's text has a cell of its own"),
                               ("lammps-dump", {"cell": CELL}, "a LAMMPS dump has a cell of its own"),
                               ("csv", {"cell": CELL}, "the file has a cell"),
                               ("yade", {}, "a text of YADE has no cell: give it with cell=")):
        source.write_text(GOOD[name])
        with pytest.raises(FormatError, match=why):
            read_assembly(source, **options)


@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(sorted(GOOD)), st.data())
def test_damaged_files_are_read_or_refused(name: str, data: st.DataObject) -> None:
    """Any damage gives an assembly or a FormatError, never another exception."""
    text = GOOD[name]
    for _ in range(data.draw(st.integers(1, 3))):
        at, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 12))
        text = text[:at] + data.draw(st.text(st.sampled_from("0123456789.-+eE \n,#xpnaif@:\tITM"), max_size=6)) + \
            text[at + length:]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "damaged")
        path.write_text(text)
        for format in (None, name):
            try:
                a = read_assembly(path, format, cell=CELL if name == "yade" else None)
                write_assembly(a, path.with_name("again.csv"), drop=["columns", "sections"], force=True)
            except FormatError as error:
                assert str(error).startswith(folder)
