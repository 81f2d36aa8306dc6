#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost model of docs/scale.md: prints its tables of predictions, from measured constants and assumptions.

    bench/scale_model.py

The measured constants are from bench/results/scaling-amd-epyc.txt (bench/scaling.sh); the assumed ones are public
figures of machines, or guesses. docs/scale.md says where each comes from. Units are SI.
"""
import math

# ---- Measured --------------------------------------------------------------------------------------------------------

CONTACTS = 2.1  # a sphere
CELL = 0.95e-3  # width of the volume of a sphere: (volume / spheres)^(1/3)
DIAMETER = 1.0e-3
CUTOFF = 1.22e-3  # of ghosts: the largest diameter, and the skin
SKIN = 2e-5
TIME, WAIT, CACHE = 81.6e-9, 30.6e-9, 8.8e6  # LAMMPS, a contact and step: in the cache; more without it; its bytes
LIST_TIME = 597e-9  # LAMMPS, a contact: everything for a new list
BYTES_SPHERE = 1500  # of LAMMPS, with contacts and histories
BYTES_MEMORY = 900  # a contact and step, from and to memory
BYTES_GHOST, BYTES_GHOST_LIST = 120, 72  # a step; more in one with a new list
BYTES_ENTRY = 494  # a contact as a message, histories of 9.2 points
MESSAGES, MESSAGES_LIST, COLLECTIVES = 12, 30, 3  # a rank and step; more in one with a new list; a step
OWN_STEPS = 330  # of 1e-6, until spheres leave a list by their own motion
INERTIA = 1.1e3  # inertial number over the strain of a step
WAVE = 470 * 2e-7  # distance that a pressure wave travels in a step
RESTART = {"LAMMPS": 1073, "jager run": 506}  # bytes of a file a contact
IMBALANCE, IMBALANCE_POWER = 1.2, -0.56  # pairs of the fullest of 27 ranks over the mean, less 1: of spheres a rank

# ---- Assumed ---------------------------------------------------------------------------------------------------------

CORES, CORE_CACHE = 128, 4e6
NODE_BANDWIDTH, NODE_MEMORY = 0.8 * 2 * 204.8e9, 512e9
LATENCY, NETWORK, COPY = 2e-6, 25e9, 5e9  # a message; a node; a rank, from another one of its node
LATENCY_SHARED = 1e-6  # a message within a node
FILES = 100e9, 5e12  # file systems of a cluster, of the largest machines
GPUS = {"H100 SXM": (3.35e12, 80e9), "half an MI250X": (1.6e12, 64e9)}
GPU_SHARE, GPU_SPHERES = 0.6, 160  # of the bandwidth; bytes of spheres and forces a contact and step
GPU_LATENCY, GPU_LAUNCHES = 5e-6, 50e-6  # a message; all kernels of a step
DAY = 86400.0


def edge(spheres):
    return CELL * spheres ** (1 / 3)


def ghosts(spheres):
    """Of a cube of spheres amid others."""
    return spheres * ((1 + 2 * CUTOFF / edge(spheres)) ** 3 - 1)


def contacts_across(spheres):
    """Contacts across three of the six faces of a cube: contacts between two ranks belong to each by half."""
    return 3 * CONTACTS * spheres * 0.5 * DIAMETER / edge(spheres)


def contact_time(spheres, cache):
    return TIME + WAIT * max(0.0, 1 - cache / (BYTES_SPHERE * spheres))


def steps_of_list(spheres, skin=SKIN, strain=1e-6):
    """LAMMPS counts the mean flow as motion: in a wide box lists are short-lived."""
    return 1e-6 / strain * skin / SKIN / (1 / OWN_STEPS + 2e-6 * edge(spheres) / SKIN)


def imbalance(own, ranks):
    """The extreme of many ranks is further from the mean than the extreme of few: as in a normal distribution."""
    return IMBALANCE * own ** IMBALANCE_POWER * math.sqrt(math.log(ranks) / math.log(27))


def step_times(spheres, nodes, cores=CORES, strain=1e-6):
    """Compute, halo, collectives, lists: seconds of a step of LAMMPS."""
    ranks = nodes * cores
    own, on_node = spheres / ranks, spheres / nodes
    contacts = CONTACTS * own
    misses = max(0.0, 1 - CORE_CACHE / (BYTES_SPHERE * own))
    compute = max(contacts * contact_time(own, CORE_CACHE), contacts * cores * misses * BYTES_MEMORY / NODE_BANDWIDTH)
    compute *= 1 + imbalance(own, ranks)
    outside = ghosts(on_node) if nodes > 1 else 0.0
    across = contacts_across(on_node) if nodes > 1 else 0.0
    latency = LATENCY if nodes > 1 else LATENCY_SHARED
    halo = MESSAGES * latency + BYTES_GHOST * (ghosts(own) / COPY + outside / NETWORK)
    collect = COLLECTIVES * 2 * math.log2(ranks) * latency
    bytes_list = (BYTES_GHOST_LIST * ghosts(own) + BYTES_ENTRY * contacts_across(own)) / COPY
    bytes_list += (BYTES_GHOST_LIST * outside + BYTES_ENTRY * across) / NETWORK
    each = contacts * LIST_TIME + MESSAGES_LIST * latency + bytes_list
    return compute, halo, collect, each / steps_of_list(spheres, 5 * SKIN, strain)


def steps_of_test(spheres, inertial_number, crossings=10):
    """Of 1 % of strain: slow enough for the grains, and for waves to cross the assembly several times."""
    return max(0.01 * INERTIA / inertial_number, crossings * edge(spheres) / WAVE)


def duration(seconds):
    for unit, size in (("years", 365 * DAY), ("days", DAY), ("h", 3600.0), ("min", 60.0)):
        if seconds >= size:
            return f"{seconds / size:.2g} {unit}"
    return f"{seconds:.2g} s"


def number(value):
    if value < 9999.5:
        return f"{float(f'{value:.2g}'):,.0f}" if value >= 10 else f"{value:.2g}"
    power = int(math.log10(value * 1.001))
    digits = str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    mantissa = f"{value / 10 ** power:.2g}"
    return f"10{digits}" if mantissa in ("1", "1.0") else f"{mantissa}·10{digits}"


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def print_check():
    print("spheres-ranks: ns per contact and step, times the ranks; predicted from 4,096 and 32,768 on 1 rank")
    for spheres in (4096, 32768, 262144, 884736):
        one = 1e9 * contact_time(spheres, CACHE)
        contacts = {4096: 9408, 32768: 91660, 262144: 744700, 884736: 2514500}[spheres]
        sent = 80724 * (spheres / 4096) ** (2 / 3)  # bytes of a rank and step across two faces
        row(spheres, f"{one:.1f}", f"{one + 2e9 * (4 * LATENCY_SHARED + sent / COPY) / contacts:.1f}")


def print_nodes():
    print("\nnodes, spheres, a rank: a step; compute, halo, collectives, lists; steps a day; 1 % at I = 1e-3, 1e-4")
    for nodes in (1, 100, 10000):
        for spheres in (1e6, 1e7, 1e8, 1e9, 1e10, 1e11):
            times = step_times(spheres, nodes)
            total = sum(times)
            if spheres * BYTES_SPHERE > nodes * NODE_MEMORY or spheres / nodes / CORES < 50:
                continue
            tests = []
            for inertial_number in (1e-3, 1e-4):
                steps = steps_of_test(spheres, inertial_number)
                tests.append(duration(steps * sum(step_times(spheres, nodes, strain=0.01 / steps))))
            row(f"{nodes:,}", number(spheres), number(spheres / nodes / CORES), f"{number(1e3 * total)} ms",
                *(f"{100 * t / total:.0f} %" for t in times), number(DAY / total), *tests)


def print_limit():
    print("\nspheres a rank at which halo and collectives take as long as the contacts, by ranks")
    for nodes in (1, 100, 10000):
        for own in (2 ** (k / 4) for k in range(16, 80)):
            compute, halo, collect, _ = step_times(own * nodes * CORES, nodes)
            if halo + collect < compute:
                break
        row(f"{nodes:,}", number(own))


def print_tests():
    print("\nspheres: width in diameters; steps a wave needs; steps of 1 %, I = 1e-3, 1e-4; of a list of LAMMPS")
    for spheres in (1e6, 1e8, 1e10):
        row(number(spheres), number(edge(spheres) / DIAMETER), number(edge(spheres) / WAVE),
            number(steps_of_test(spheres, 1e-3)), number(steps_of_test(spheres, 1e-4)),
            number(steps_of_list(spheres)), number(steps_of_list(spheres, 5 * SKIN)))


def contact_bytes(points, single):
    """jager/compact.h (28 K + 64, or 16 K + 40), with branch and first tangent"""
    return 16 * points + 40 + 24 if single else 28 * points + 64 + 48


def print_gpus():
    print("\nGPU, points, precision: bytes of a contact; ns a contact and step; spheres that fit; steps a day of 1e7")
    for name, (bandwidth, memory) in GPUS.items():
        for points in (8, 12, 16):
            for precision, share in (("double", 1.0), ("single", 0.5)):
                size = contact_bytes(points, share < 1)
                time = (2 * size + share * GPU_SPHERES) / (GPU_SHARE * bandwidth)
                fit = 0.8 * memory / (CONTACTS * 1.3 * size + share * 400)
                row(name, points, precision, f"{size:.0f}", f"{1e9 * time:.2f}", number(fit),
                    number(DAY / (1e7 * CONTACTS * time)))


def print_gpu_machines():
    print("\nH100s (12 points, double), spheres: a step; contacts, halo, collectives; steps a day; 1 %, I = 1e-3, 1e-4")
    bandwidth = GPUS["H100 SXM"][0]
    size = contact_bytes(12, False)
    for gpus, spheres in ((1, 1e6), (1, 1e7), (100, 1e8), (100, 1e9), (10000, 1e9), (10000, 1e10), (10000, 1e11)):
        own = spheres / gpus
        contacts = own * CONTACTS * (2 * size + GPU_SPHERES) / (GPU_SHARE * bandwidth) + GPU_LAUNCHES
        halo = MESSAGES * GPU_LATENCY + BYTES_GHOST * ghosts(own) / NETWORK if gpus > 1 else 0.0
        collect = COLLECTIVES * 2 * math.log2(gpus) * GPU_LATENCY
        total = contacts + halo + collect
        tests = [duration(total * steps_of_test(spheres, inertial_number)) for inertial_number in (1e-3, 1e-4)]
        row(f"{gpus:,}", number(spheres), f"{number(1e3 * total)} ms",
            *(f"{100 * t / total:.0f} %" for t in (contacts, halo, collect)), number(DAY / total), *tests)


def print_files():
    print("\nspheres: bytes of a restart file, time to write it")
    for spheres in (1e6, 1e8, 1e10):
        for name, size in RESTART.items():
            total = spheres * CONTACTS * size
            row(number(spheres), name, number(total), *(duration(total / speed) for speed in FILES))


if __name__ == "__main__":
    print_check()
    print_nodes()
    print_limit()
    print_tests()
    print_gpus()
    print_gpu_machines()
    print_files()
