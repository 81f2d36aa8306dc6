# SPDX-License-Identifier: MIT
"""Checks the files of `test_vtk --write DIR` and `--write-grains DIR` independently of their writer: reads the XML by
Python's parser and the arrays by struct, and compares format, sizes and values with the formulas of
tests/support/snapshots.h."""
import os
import re
import struct
import sys
import xml.etree.ElementTree as ElementTree

TYPES = {"Float32": "f", "Float64": "d", "UInt32": "I", "UInt8": "B", "Int64": "q"}
SPHERES, CONTACTS, GRAINS = 17, 40, 5


def fail(text):
    sys.exit("FAIL: " + text)


def expect(found, wanted, what):
    if found != wanted:
        fail(f"{what}: {found!r} instead of {wanted!r}")


def read_vtp(path):
    """Attributes of the piece, texts of the fields, and the arrays by (place, name)."""
    with open(path, "rb") as stream:
        data = stream.read()
    start, end = data.index(b"<AppendedData"), data.rindex(b"</AppendedData>")
    begin = data.index(b"_", start) + 1
    head = data[:begin] + data[end:]
    root = ElementTree.fromstring(head)
    expect((root.tag, root.get("type"), root.get("version"), root.get("byte_order"), root.get("header_type")),
           ("VTKFile", "PolyData", "1.0", "LittleEndian", "UInt64"), path + ": root")
    expect(root.find("AppendedData").get("encoding"), "raw", path + ": encoding")
    poly = root.find("PolyData")
    fields = {array.get("Name"): array.text for array in poly.find("FieldData")}
    piece, arrays, used = poly.find("Piece"), {}, 0
    for place in piece:
        for array in place:
            expect(array.get("format"), "appended", path)
            offset = int(array.get("offset"))
            expect(offset, used, f"{path}: offset of {array.get('Name')}")
            size = struct.unpack_from("<Q", data, begin + offset)[0]
            code = TYPES[array.get("type")]
            count, rest = divmod(size, struct.calcsize(code))
            expect(rest, 0, f"{path}: rest of {array.get('Name')}")
            values = struct.unpack_from(f"<{count}{code}", data, begin + offset + 8)
            columns = int(array.get("NumberOfComponents"))
            arrays[place.tag, array.get("Name")] = [values[i:i + columns] for i in range(0, count, columns)]
            used += 8 + size
    expect(data[begin + used:end].strip(), b"", path + ": bytes behind the arrays")
    return piece.attrib, fields, arrays


def single(values):
    """Rounded to Float32."""
    return tuple(struct.unpack("<f", struct.pack("<f", value))[0] for value in values)


def check_fields(fields, step):
    expect(float(fields["TimeValue"]), 0.001 * step, "time")
    expect(int(fields["step"]), step, "step")
    expect([float(x) for x in fields["cell"].split()], [3, 0.5, 0.25, 0, 4, 0.125, 0, 0, 5], "cell")


def sphere_id(i):
    return 2 * i + 5


def sphere_position(i):
    return (0.25 * i, 0.5 * i + 1.0, 1.0 / (i + 1.0))


def check_counts(piece, points, verts, lines, path):
    names = ("NumberOfPoints", "NumberOfVerts", "NumberOfLines")
    expect([piece[name] for name in names], [str(points), str(verts), str(lines)], path)


def check_spheres(path, step, count, has_grains):
    piece, fields, arrays = read_vtp(path)
    check_fields(fields, step)
    check_counts(piece, count, count, 0, path)
    wanted = {
        ("Points", "position"): lambda i: sphere_position(i),
        ("PointData", "radius"): lambda i: (0.001 * (i + 1.0),),
        ("PointData", "id"): lambda i: (sphere_id(i),),
        ("PointData", "velocity"): lambda i: single((i, -i, 0.5)),
        ("PointData", "angular_velocity"): lambda i: single((1.5 * i, 0, -2)),
        ("PointData", "force"): lambda i: single((0.125 * i, 0.0625, i)),
        ("PointData", "pressure"): lambda i: single((1000.0 * i,)),
        ("PointData", "contacts"): lambda i: (i % 13,),
        ("Verts", "connectivity"): lambda i: (i,),
        ("Verts", "offsets"): lambda i: (i + 1,),
    }
    if has_grains:
        wanted["PointData", "grain"] = lambda i: (3 * (i // 4) + 1,)
    expect(set(arrays), set(wanted), path + ": arrays")
    for key, value in wanted.items():
        expect(arrays[key], [value(i) for i in range(count)], f"{path}: {key}")


def check_grains(path, step, count):
    piece, fields, arrays = read_vtp(path)
    check_fields(fields, step)
    check_counts(piece, count, count, 0, path)
    wanted = {
        ("Points", "position"): lambda i: (0.5 * i, -i, 2.0),
        ("PointData", "diameter"): lambda i: (0.002 * (i + 1.0),),
        ("PointData", "quaternion"): lambda i: (0.5, -0.5, 0.1 * i, 0.25),
        ("PointData", "id"): lambda i: (3 * i + 1,),
        ("PointData", "shape"): lambda i: (i % 2,),
        ("PointData", "velocity"): lambda i: single((-i, 0.5, i)),
        ("PointData", "angular_velocity"): lambda i: single((0, 2.5 * i, 1)),
        ("PointData", "force"): lambda i: single((0.0625, i, 0.25 * i)),
        ("PointData", "torque"): lambda i: single((i, 0, -0.5 * i)),
        ("PointData", "pressure"): lambda i: single((500.0 * i,)),
        ("PointData", "contacts"): lambda i: (i % 7,),
        ("Verts", "connectivity"): lambda i: (i,),
        ("Verts", "offsets"): lambda i: (i + 1,),
    }
    expect(set(arrays), set(wanted), path + ": arrays")
    for key, value in wanted.items():
        expect(arrays[key], [value(i) for i in range(count)], f"{path}: {key}")


def contact_end(i):
    contact = i // 2
    x, y, z = sphere_position(contact % (SPHERES - 1))
    return (x - 0.75 * contact, y + 0.5, z + 0.25 * contact) if i % 2 else (x, y, z)


def check_contacts(path, step, count):
    piece, fields, arrays = read_vtp(path)
    check_fields(fields, step)
    check_counts(piece, 2 * count, 0, count, path)
    wanted = {
        ("CellData", "fn"): lambda i: single((2.0 * i,)),
        ("CellData", "ft"): lambda i: single((0.5 * i,)),
        ("CellData", "force"): lambda i: single((i, i + 1, i + 2)),
        ("CellData", "normal"): lambda i: single((0, 0.6, -0.8)),
        ("CellData", "zeta"): lambda i: single((0.0625 * i,)),
        ("CellData", "state"): lambda i: (1 + i % 3,),
        ("CellData", "length"): lambda i: (i + 2,),
        ("CellData", "id_first"): lambda i: (sphere_id(i % (SPHERES - 1)),),
        ("CellData", "id_second"): lambda i: (sphere_id(i % (SPHERES - 1) + 1),),
        ("Lines", "offsets"): lambda i: (2 * i + 2,),
    }
    of_points = {("Points", "position"): contact_end, ("Lines", "connectivity"): lambda i: (i,)}
    expect(set(arrays), set(wanted) | set(of_points), path + ": arrays")
    for key, value in wanted.items():
        expect(arrays[key], [value(i) for i in range(count)], f"{path}: {key}")
    for key, value in of_points.items():
        expect(arrays[key], [value(i) for i in range(2 * count)], f"{path}: {key}")


def check_collection(directory, name):
    """Every entry of the collection is a file, in the order of its times; every file is an entry."""
    root = ElementTree.parse(os.path.join(directory, name + ".pvd")).getroot()
    expect((root.tag, root.get("type")), ("VTKFile", "Collection"), name)
    entries = [(float(entry.get("timestep")), entry.get("file")) for entry in root.find("Collection")]
    expect(entries, sorted(entries), name + ": order")
    files = sorted("vtk/" + file for file in os.listdir(os.path.join(directory, "vtk")) if file.startswith(name))
    expect([file for _, file in entries], files, name + ": files")
    steps = [int(re.fullmatch(r"vtk/\w+-(\d+)\.vtp", file).group(1)) for file in files]
    expect([time for time, _ in entries], [0.001 * step for step in steps], name + ": times")
    return zip(steps, files)


def main():
    directory, has_grains = sys.argv[1], sys.argv[2:] == ["grains"]
    for step, file in check_collection(directory, "spheres"):
        check_spheres(os.path.join(directory, file), step, 0 if step == 0 else SPHERES, has_grains)
    for step, file in check_collection(directory, "contacts"):
        check_contacts(os.path.join(directory, file), step, 0 if step == 0 else CONTACTS)
    expect(os.path.exists(os.path.join(directory, "grains.pvd")), has_grains, "grains.pvd")
    for step, file in check_collection(directory, "grains") if has_grains else ():
        check_grains(os.path.join(directory, file), step, 0 if step == 0 else GRAINS)
    print("ok")


main()
