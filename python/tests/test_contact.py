# SPDX-License-Identifier: MIT
"""One contact and many: compared with the program, closed forms, invariants, and single contacts."""
from __future__ import annotations

import copy
import math
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jager

QUARTZ = jager.Law(G=29e9, nu=0.15, friction=0.5)
R = 1e-3
MODELS = st.sampled_from(jager.MODELS)
SEEDS = st.integers(0, 2**32 - 1)


def random_path(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """A path that touches, slips, slides, reverses, and now and then separates."""
    rng = np.random.default_rng(seed)
    zeta = 1e-7 * np.abs(1.0 + rng.choice([0.05, 0.3, 1.0]) * np.cumsum(rng.standard_normal(count)) / math.sqrt(count))
    zeta[rng.random(count) < 0.02] *= -1.0
    xi = rng.choice([3e-9, 3e-8]) * np.cumsum(rng.standard_normal((count, 2)), axis=0)
    return zeta, xi


def random_law(seed: int, model: str = "jager") -> jager.Law:
    rng = np.random.default_rng(seed)
    more = {}
    if model == "jager":
        more = rng.choice([{}, {"tolerance": 1e-3}, {"dp_max": 0.02}, {"contour": "cone", "slope": 0.1},
                           {"contour": "power", "slope": 30.0, "exponent": 1.5}])
    return jager.Law(10 ** rng.uniform(6, 11), rng.uniform(0.0, 0.5), rng.choice([0.0, 0.3, 1.0]), model=model, **more)


def state_of(contact: jager.Contact) -> tuple[bytes, tuple[float, float]]:
    return contact.pack(), tuple(contact.xi)


# ---- Against others -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", jager.MODELS)
@pytest.mark.parametrize("seed", range(3))
def test_walk_has_the_bits_of_the_program(program, tmp_path, model, seed):
    zeta, xi = random_path(seed, 400)
    path, history = tmp_path / "path.csv", tmp_path / "history.csv"
    rows = "\n".join(f"{z!r},{x!r},{y!r}" for z, (x, y) in zip(zeta.tolist(), xi.tolist()))
    path.write_text(f"zeta,xi1,xi2\n{rows}\n")
    options = ["--history", history] if model == "jager" else []
    command = [program, "contact", path, "--model", model, "--shear-modulus", "29e9", "--poisson", "0.15",
               "--friction", "0.5", "--radius", "1e-3", *(["--kn", "1e6"] if model == "linear" else []), *options]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    table = np.genfromtxt(out.splitlines(), delimiter=",", names=True, dtype=None, encoding="utf-8")
    contact = jager.Contact(QUARTZ.replace(model=model, kn=1e6 if model == "linear" else 0.0), R, R)
    walked = contact.walk(zeta, xi, energy=True)
    for name, mine in (("zeta", walked.zeta), ("xi1", walked.xi[:, 0]), ("xi2", walked.xi[:, 1]), ("fn", walked.fn),
                       ("ft1", walked.ft[:, 0]), ("ft2", walked.ft[:, 1]), ("dissipated", walked.dissipated),
                       ("stored", walked.normal + walked.tangential)):
        assert np.array_equal(table[name], mine), name
    assert list(table["state"]) == list(walked.state_names)
    assert table["length"][-1] == len(contact)
    if model == "jager":
        points = np.genfromtxt(history, delimiter=",", names=True)
        last = points[points["step"] == len(zeta)]
        assert np.array_equal(last["zeta"], contact.history["zeta"])
        assert np.array_equal(np.column_stack([last["p1"], last["p2"]]), contact.history["p"])


@given(share=st.floats(0.01, 0.999), back=st.floats(-1.0, 1.0), fn=st.floats(1e-6, 1e3), nu=st.floats(0.0, 0.5),
       friction=st.floats(0.05, 2.0))
def test_closed_forms_of_mindlin(share, back, fn, nu, friction):
    law = jager.Law(29e9, nu, friction)
    contact = jager.Contact(law, R, 2.0 * R)
    radius = 2.0 * R * 2.0 * R / (3.0 * R)
    peak = share * friction * fn
    contact.load(fn)
    contact.load(fn, peak)
    assert contact.xi[0] == pytest.approx(float(jager.mindlin.loading(law, radius, fn, peak)), rel=1e-9)
    contact.load(fn, back * peak)
    expected = float(jager.mindlin.unloading(law, radius, fn, peak, back * peak))
    assert contact.xi[0] == pytest.approx(expected, rel=1e-8, abs=1e-10 * abs(expected) + 1e-20)


@given(share=st.floats(0.2, 0.99), fn=st.floats(1e-3, 10.0))
def test_loss_of_a_cycle(share, fn):
    contact = jager.Contact(QUARTZ, R, R)
    peak = share * 0.5 * fn
    zeta = contact.load(fn).zeta
    xi = float(jager.mindlin.loading(QUARTZ, R, fn, peak))
    path = contact.walk(zeta, [xi, -xi, xi, -xi, xi], energy=True)
    loss = path.dissipated[2:] - path.dissipated[:-2]
    assert loss[1:] == pytest.approx(float(jager.mindlin.cycle_loss(QUARTZ, R, fn, peak)), rel=1e-6)


@given(zeta=st.floats(1e-12, 1e-5), nu=st.floats(0.0, 0.49), a=st.floats(1e-4, 1e-1), b=st.floats(1e-4, 1e-1))
def test_normal_force_is_that_of_hertz(zeta, nu, a, b):
    contact = jager.Contact(jager.Law(29e9, nu), a, b)
    effective = 29e9 / (1.0 - nu)  # E/(1 - nu²)/2 of two equal materials
    hertz = 4.0 / 3.0 * effective * math.sqrt(a * b / (a + b)) * (2.0 * zeta) ** 1.5
    assert contact.move(zeta).fn == pytest.approx(hertz, rel=1e-12)


@given(seed=SEEDS)
def test_tractions_add_up_to_the_forces(seed):
    zeta, xi = random_path(seed, 30)
    contact = jager.Contact(QUARTZ, R, R)
    contact.walk(np.abs(zeta), xi)
    edge = contact.radii.contact
    s = (np.arange(4000) + 0.5) / 4000  # r = edge sqrt(1 - s²): the tractions are smooth in s near the rim
    area = 2.0 * np.pi * edge**2 * s / 4000
    t = contact.tractions(edge * np.sqrt(1.0 - s * s))
    assert np.sum(area * t.pressure) == pytest.approx(contact.fn, rel=1e-6)
    assert np.sum(area[:, None] * t.shear, axis=0) == pytest.approx(contact.ft, abs=1e-4 * contact.fn)


# ---- Invariants -----------------------------------------------------------------------------------------------------


@given(seed=SEEDS, model=MODELS)
def test_walk_is_move_by_move(seed, model):
    law = random_law(seed, model)
    zeta, xi = random_path(seed, 60)
    walker, mover = jager.Contact(law, R, R), jager.Contact(law, R, R)
    path = walker.walk(zeta, xi)
    at = np.zeros(2)
    for k in range(len(zeta)):
        fn, ft = mover.move(zeta[k], xi[k] - at)
        at = xi[k]
        assert (fn, *ft) == (path.fn[k], *path.ft[k]) and mover.state == path.state[k]
    assert walker == mover and np.array_equal(walker.xi, xi[-1])


@given(seed=SEEDS, model=MODELS)
def test_forces_keep_to_the_friction_cone_and_energy_only_falls(seed, model):
    law = random_law(seed, model)
    zeta, xi = random_path(seed, 100)
    path = jager.Contact(law, R, R).walk(zeta, xi, energy=model == "jager")
    assert np.all(np.hypot(*path.ft.T) <= law.friction * path.fn * (1.0 + 1e-12) + 1e-300)
    assert np.all(path.fn[zeta <= 0.0] == 0.0) and np.all(path.fn[zeta > 0.0] > 0.0)
    if model == "jager":
        scale = np.max(path.normal + path.tangential)
        assert np.all(np.diff(path.dissipated) >= -1e-12 * scale)
        assert np.all(path.tangential >= -1e-12 * scale)


@given(seed=SEEDS, model=MODELS)
def test_mirrored_and_turned_paths_give_mirrored_and_turned_forces(seed, model):
    law = random_law(seed, model)
    zeta, xi = random_path(seed, 60)
    path = jager.Contact(law, R, R).walk(zeta, xi)
    mirrored = jager.Contact(law, R, R).walk(zeta, -xi)
    assert np.array_equal(mirrored.ft, -path.ft) and np.array_equal(mirrored.fn, path.fn)
    turned = jager.Contact(law, R, R).walk(zeta, np.column_stack([-xi[:, 1], xi[:, 0]]))
    if model == "jager":
        expected = np.column_stack([-path.ft[:, 1], path.ft[:, 0]])
        assert turned.ft == pytest.approx(expected, abs=1e-9 * np.max(path.fn))


@given(seed=SEEDS)
def test_history_holds_the_force(seed):
    zeta, xi = random_path(seed, 60)
    contact = jager.Contact(random_law(seed), R, R)
    contact.walk(np.abs(zeta), xi)
    points = contact.history
    ft = np.sum(points["p"][1:] * np.diff(points["fn"])[:, None], axis=0)
    assert ft == pytest.approx(contact.ft, abs=1e-9 * contact.fn)
    assert np.all(np.diff(points["zeta"]) > 0.0) and points["zeta"][-1] == contact.zeta
    assert np.all(np.hypot(*points["p"].T) <= contact.law.friction * (1.0 + 1e-9))
    assert len(points) == len(contact)


@given(seed=SEEDS)
def test_load_reaches_the_forces(seed):
    rng = np.random.default_rng(seed)
    contact = jager.Contact(QUARTZ, R, R)
    zeta, xi = random_path(seed, 20)
    contact.walk(np.abs(zeta), xi)
    for _ in range(10):
        fn, angle = rng.uniform(0.01, 1.0), rng.uniform(0.0, 2.0 * np.pi)
        ft = 0.5 * fn * rng.uniform(0.0, 0.999) * np.array([np.cos(angle), np.sin(angle)])
        before = contact.xi
        movement = contact.load(fn, ft)
        assert contact.fn == pytest.approx(fn, rel=1e-12) and contact.ft == pytest.approx(ft, abs=1e-9 * fn)
        assert movement.zeta == contact.zeta and np.array_equal(contact.xi, before + movement.dxi)


@given(seed=SEEDS, model=MODELS, count=st.integers(1, 700))
def test_many_contacts_are_single_ones(seed, model, count):
    rng = np.random.default_rng(seed)
    law = random_law(seed, model)
    radii = 10 ** rng.uniform(-4, -2, count)
    many = jager.Contacts(law, radii, R)
    singles = [jager.Contact(law, radius, R) for radius in radii]
    for _ in range(4):
        zeta, dxi = 1e-7 * rng.uniform(-0.05, 1.0, count), 3e-8 * rng.standard_normal((count, 2))
        fn, ft, state = many.move_with_state(zeta, dxi)
        expected = [single.move(z, d) for single, z, d in zip(singles, zeta, dxi)]
        assert np.array_equal(fn, [force.fn for force in expected])
        assert np.array_equal(ft, [force.ft for force in expected])
        assert np.array_equal(state, [single.state for single in singles])
    k = int(rng.integers(count))
    assert many[k] == singles[k] and many.lengths[k] == len(singles[k]) and many.zeta[k] == singles[k].zeta
    twin, thawed = many.copy(), pickle.loads(pickle.dumps(many))
    again = [contacts.move(1e-7, 1e-9) for contacts in (many, twin, thawed)]
    assert all(np.array_equal(a, b) for other in again[1:] for a, b in zip(again[0], other))
    assert np.array_equal(many.force[0], again[0][0]) and np.array_equal(many.force[1], again[0][1])


# ---- Copies ---------------------------------------------------------------------------------------------------------


@given(seed=SEEDS, model=MODELS)
def test_copies_and_pickles_go_on_alike_and_apart(seed, model):
    law = random_law(seed, model)
    zeta, xi = random_path(seed, 50)
    contact = jager.Contact(law, R, 2.0 * R)
    contact.walk(zeta[:30], xi[:30])
    twins = [contact.copy(), copy.deepcopy(contact), pickle.loads(pickle.dumps(contact))]
    before = state_of(contact)
    paths = [twin.walk(zeta[30:], xi[30:]) for twin in twins]
    assert state_of(contact) == before
    mine = contact.walk(zeta[30:], xi[30:])
    assert all(np.array_equal(path.ft, mine.ft) and np.array_equal(path.fn, mine.fn) for path in paths)
    assert all(twin == contact and twin.law == law and twin.radii_of_bodies == (R, 2.0 * R) for twin in twins)


def test_law_compares_hashes_pickles_and_replaces():
    law = jager.Law(1e9, 0.2, 0.4, other=(math.inf, 0.3), tolerance=1e-3)
    assert pickle.loads(pickle.dumps(law)) == law and hash(law.replace()) == hash(law) and law != QUARTZ
    assert law.replace(friction=0.1).friction == 0.1 and law.friction == 0.4
    assert eval(repr(law), {"jager": jager, "inf": math.inf}) == law
    with pytest.raises(AttributeError, match="replace"):
        law.friction = 0.1
    with pytest.raises(AttributeError):
        law.frictoin


def test_arrays_are_the_callers_own():
    zeta, xi = random_path(3, 100)
    contact = jager.Contact(QUARTZ, R, R)
    path = contact.walk(zeta, xi)
    for array in (path.zeta, path.xi, path.fn, path.ft, path.state, contact.xi, contact.history, contact.ft):
        assert array.flags.writeable and not any(np.shares_memory(array, given) for given in (zeta, xi))
    kept, history = path.ft.copy(), contact.history
    path.zeta[:], contact.xi[:] = 0.0, 7.0
    contact.walk(zeta, xi)
    assert np.array_equal(path.ft, kept) and np.array_equal(contact.xi, xi[-1])
    length = len(history)
    del contact
    assert len(history) == length and np.isfinite(history["fn"]).all()


# ---- Errors ---------------------------------------------------------------------------------------------------------


@given(seed=SEEDS, model=MODELS, bad=st.sampled_from([math.nan, math.inf, -math.inf, 1e200]), at=st.integers(0, 29))
def test_a_failed_call_leaves_the_contact_as_it_was(seed, model, bad, at):
    law = random_law(seed, model)
    zeta, xi = random_path(seed, 60)
    contact, many = jager.Contact(law, R, R), jager.Contacts(law, np.full(30, R), R)
    contact.walk(zeta[:30], xi[:30])
    many.move(zeta[:30], xi[:30])
    before, forces = state_of(contact), many.force
    zeta[30 + at] = bad
    for energy in (False, True):
        with pytest.raises(jager.JagerError, match=rf"^movement {at}: .*(NaN|too large)") as caught:
            contact.walk(zeta[30:], xi[30:], energy=energy)
        assert caught.value.status in ("JAGER_ERROR_NOT_FINITE", "JAGER_ERROR_TOO_LARGE")
    with pytest.raises(jager.JagerError):
        contact.move(bad)
    assert state_of(contact) == before
    with pytest.raises(jager.JagerError, match=f"^contact {at}: "):
        many.move(zeta[30:])
    assert all(np.array_equal(a, b) for a, b in zip(many.force, forces))


@pytest.mark.parametrize("arguments, status", [
    (dict(G=-1.0, nu=0.2), "SHEAR_MODULUS"), (dict(G=math.nan, nu=0.2), "SHEAR_MODULUS"),
    (dict(G=1e9, nu=0.6), "POISSON"), (dict(G=1e9, nu=0.2, friction=-0.1), "FRICTION"),
    (dict(G=1e9, nu=0.2, model="mindlin"), "MODEL"), (dict(G=1e9, nu=0.2, contour="cube"), "CONTOUR"),
    (dict(G=1e9, nu=0.2, contour="cone"), "CONTOUR"), (dict(G=1e9, nu=0.2, tolerance=2.0), "TOLERANCE"),
    (dict(G=1e9, nu=0.2, tolerance=0.1, dp_max=0.1), "DP_MAX"), (dict(G=1e9, nu=0.2, dp_max=-1.0), "DP_MAX"),
    (dict(G=1e9, nu=0.2, kn=-1.0), "STIFFNESS"), (dict(G=math.inf, nu=0.2, other=(math.inf, 0.2)), "SHEAR_MODULUS"),
])
def test_impossible_laws(arguments, status):
    with pytest.raises(jager.JagerError) as caught:
        jager.Law(**arguments)
    assert caught.value.status == f"JAGER_ERROR_{status}" and str(caught.value)


def test_impossible_contacts_and_calls():
    contact = jager.Contact(QUARTZ, R, math.inf)
    for wrong in (lambda: jager.Contact(QUARTZ, -1.0, R), lambda: jager.Contact(QUARTZ, math.inf, math.inf),
                  lambda: contact.load(1.0, 0.6), lambda: contact.load(-1.0), lambda: contact.tractions(-1.0),
                  lambda: jager.Contact(QUARTZ.replace(model="linear"), R, R).load(1.0),
                  lambda: jager.Contact(QUARTZ.replace(model="linear"), R, R).history,
                  lambda: setattr(contact, "law", QUARTZ.replace(G=1e9)),
                  lambda: jager.mindlin.loading(QUARTZ, R, 1.0, 0.6),
                  lambda: jager.mindlin.oblique(QUARTZ, R, 1.0, 2.0, 0.3, 1.5)):
        with pytest.raises(jager.JagerError):
            wrong()
    for wrong in (lambda: contact.walk([1e-7, 1e-7], [1e-9] * 3), lambda: contact.walk(1e-7, 1e-9),
                  lambda: contact.walk([[1e-7]], [1e-9]), lambda: contact.walk([1e-7], [[1e-9, 0.0, 0.0]]),
                  lambda: contact.move(1e-7, (1.0, 2.0, 3.0)), lambda: jager.Contacts(QUARTZ, [[R]], R),
                  lambda: jager.Contacts(QUARTZ, [R, R], R).move([1e-7] * 3), lambda: contact.walk(["x"], [1.0])):
        with pytest.raises(ValueError):
            wrong()
    for wrong in (lambda: contact.walk([1e-7]), lambda: contact.walk([1e-7], [0.0], dxi=[0.0])):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(IndexError):
        jager.Contacts(QUARTZ, [R], R)[1]
    error = pickle.loads(pickle.dumps(jager.JagerError("text", "JAGER_ERROR_NULL")))
    assert str(error) == "text" and error.status == "JAGER_ERROR_NULL"


def test_a_law_may_change_its_friction():
    contact = jager.Contact(QUARTZ, R, R)
    contact.walk(1e-7, [1e-8, 2e-8])
    contact.law = QUARTZ.replace(friction=0.1)
    fn, ft = contact.move(1e-7, 1e-9)
    assert abs(ft[0]) <= 0.1 * fn * (1.0 + 1e-12)


def test_paths_without_movements_and_one_number_for_all():
    contact = jager.Contact(QUARTZ, R, R)
    before = state_of(contact)
    assert len(contact.walk([], [])) == 0 and state_of(contact) == before
    first, second = jager.Contact(QUARTZ, R, R), jager.Contact(QUARTZ, R, R)
    xi = np.linspace(0.0, 1e-8, 5)
    a, b = first.walk(1e-7, xi), second.walk(np.full(5, 1e-7), np.column_stack([xi, np.zeros(5)]))
    assert np.array_equal(a.ft, b.ft) and first == second
    c = jager.Contact(QUARTZ, R, R).walk(1e-7, dxi=np.diff(xi, prepend=0.0))
    assert np.array_equal(c.ft, a.ft)


# ---- Life and threads -----------------------------------------------------------------------------------------------


def resident_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def test_ten_thousand_objects_leave_no_memory_behind():
    zeta, xi = random_path(5, 300)

    def live_and_die(count: int) -> None:
        for k in range(count):
            contact = jager.Contact(QUARTZ, R, R)
            contact.walk(zeta, xi)
            pickle.loads(pickle.dumps(contact.copy()))
            jager.Contacts(QUARTZ, [R, R], R).move([1e-7, 1e-7])
            try:
                contact.walk([1e-7, math.nan], [0.0, 0.0])
            except jager.JagerError:
                pass
    live_and_die(500)
    before = resident_bytes()
    live_and_die(10000)
    assert resident_bytes() - before < 4e6


def test_threads_may_share_contacts():
    zeta, xi = random_path(9, 2000)
    alone = jager.Contact(QUARTZ, R, R).walk(zeta, xi)
    results, problems = {}, []
    shared = jager.Contact(QUARTZ, R, R)

    def work(k: int) -> None:
        try:
            for _ in range(5):
                results[k] = jager.Contact(QUARTZ, R, R).walk(zeta, xi)
                shared.walk(zeta, xi)
                shared.history, shared.copy(), shared.pack()
        except Exception as problem:  # pragma: no cover
            problems.append(problem)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not problems and all(np.array_equal(path.ft, alone.ft) for path in results.values())
    shared.reset()
    assert np.array_equal(shared.walk(zeta, xi).ft, alone.ft)


def test_reads_wait_for_the_thread_that_moves():
    contact, contacts = jager.Contact(QUARTZ, R, R), jager.Contacts(QUARTZ, [R, R], R)
    contact.move(1e-7, (1e-9, 0.0))
    contacts.move(1e-7, 1e-9)
    reads = [(contact, read) for read in (
        lambda c: c.zeta, lambda c: c.fn, lambda c: c.xi, lambda c: c.state, len, lambda c: c.ft, lambda c: c.history,
        pickle.dumps, repr, lambda c: c._repr_html_())]
    reads += [(contacts, read) for read in (
        lambda c: c.zeta, lambda c: c.xi, lambda c: c.force, lambda c: c.lengths, lambda c: c.bytes, lambda c: c[1],
        pickle.dumps)]
    for shared, read in reads:
        done = threading.Event()
        with shared._lock:
            thread = threading.Thread(target=lambda: (read(shared), done.set()))
            thread.start()
            assert not done.wait(0.02)
        thread.join(10)
        assert done.is_set()


def test_contacts_that_moved_in_part_refuse_further_use():
    contacts = jager.Contacts(QUARTZ, [R, R], R)
    contacts.move(1e-7)
    contacts._is_broken = True  # as after memory ran out
    for use in (lambda: contacts.zeta, lambda: contacts.xi, lambda: contacts.force, lambda: contacts.lengths,
                lambda: contacts[0], lambda: contacts.move(1e-7), contacts.copy, lambda: pickle.dumps(contacts)):
        with pytest.raises(MemoryError, match="make them anew"):
            use()
    assert len(contacts) == 2 and contacts.bytes > 0 and repr(contacts)


# ---- For people -----------------------------------------------------------------------------------------------------


def test_texts_tables_and_pictures():
    pytest.importorskip("matplotlib")
    contact = jager.Contact(QUARTZ, R, R)
    path = contact.walk(1e-7, 3e-8 * np.sin(np.linspace(0.0, 9.0, 50)), energy=True)
    assert "slip" in repr(contact) and "<table>" in contact._repr_html_() and "50 movements" in repr(path)
    frame = path.frame()
    assert list(frame.columns) == ["zeta", "xi1", "xi2", "fn", "ft1", "ft2", "state", "stored", "dissipated"]
    assert frame.index[0] == 1 and frame["ft1"].iloc[-1] == path.ft[-1, 0]
    for axes in (path.plot(), contact.plot_cone(), contact.plot_tractions()):
        assert axes.get_xlabel().endswith(")") and axes.get_ylabel().endswith(")") and axes.lines


def test_blocks_may_be_given_back_by_the_garbage_collector_at_any_moment():
    code = """
import faulthandler, gc
import numpy as np
import jager
from jager import _library
faulthandler.dump_traceback_later(60, exit=True)
_library.LARGE = 1000
gc.set_threshold(1)
law, xi = jager.Law(29e9, 0.15, 0.5), np.linspace(0.0, 1e-8, 300)
class Cycle:
    pass
for _ in range(1000):
    cycle = Cycle()
    cycle.me, cycle.path = cycle, jager.Contact(law).walk(1e-7, xi)
"""
    packages = os.path.dirname(os.path.dirname(jager.__file__))
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": packages})
