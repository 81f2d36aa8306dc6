# SPDX-License-Identifier: MIT
"""The simulator, step by step."""
from __future__ import annotations

import html
import os
import pathlib
import tempfile
import threading
from contextlib import contextmanager
from typing import Any, Callable, Iterator

import numpy as np
import numpy.typing as npt

from ._assembly import Assembly
from ._case import Case, CaseLike, Changes, as_case, recorded_case
from ._contact import Contact, unpack
from ._errors import RunError
from ._law import law_from_c
from ._library import Floats, c_path, pointer, raise_fault, settings_of, text_array, thread_count
from ._measures import CYCLE_VALUES, MEASURES, Measures
from ._native import ffi, lib
from ._running import ProgressLike, Worker, execute, run_settings
from ._runs import Run, Snapshot

INTERVAL = 0.1  # s of computing between two moments at which Ctrl-C is heard
COMPONENTS = ("xx", "yy", "zz", "xy", "xz", "yz")
BESIDE_CONTROL = ("mean_stress", "until")  # keys of a stage that set_control takes, too


def _dtype_of(name: str) -> np.dtype[np.void]:
    """numpy's type of a C struct of numbers and arrays of numbers."""
    def plain(of: Any) -> Any:
        if of.kind == "array":
            return (plain(of.item), (of.length,))
        return {"double": "f8", "uint32_t": "u4"}[of.cname]
    struct = ffi.typeof(name)
    fields = [(key, plain(field.type), field.offset) for key, field in struct.fields]
    names, formats, offsets = zip(*fields)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof(struct)})


# With C's gaps between fields
SPHERE, CONTACT, GRAIN = map(_dtype_of, ("dem_sphere_view", "dem_contact_view", "dem_grain_view"))


class Simulation:
    """An assembly of spheres in a periodic cell that is loaded in the stages of a case.

    All arrays that it returns are copies. Several simulations may run in different threads at the same time; one
    simulation does one thing at a time. A call that is refused leaves the simulation as it was.

    Args:
        case: a Case, or anything that Case takes. Cases with lists have a run for each value: use Case.run.
        threads: 0: as many as there are processors. Results do not depend on them.
    """

    def __init__(self, case: CaseLike, *, threads: int = 0) -> None:
        self._case = as_case(case)
        error = ffi.new("binding_error *")
        self._take(lib.binding_simulation_create(self._case._c, thread_count(threads), error), error)

    def _take(self, handle: Any, error: Any) -> None:
        if handle == ffi.NULL:
            raise_fault(error)
        self._handle = ffi.gc(handle, lib.binding_simulation_destroy)
        self._lock = threading.RLock()
        self._worker: Worker | None = None

    @contextmanager
    def _use(self) -> Iterator[Any]:
        """The simulation for C; one thread at a time has it, and nobody else while `run` goes on in its own thread."""
        with self._lock:
            if self._worker is not None and self._worker.may_use():
                raise RunError("the simulation is running: a progress function reads its Progress, and nothing else")
            yield self._handle

    @property
    def case(self) -> Case:
        """The case, with all changes so far."""
        with self._use() as c:
            text = ffi.string(lib.binding_simulation_input(c)).decode()
            if text != self._case.text:
                self._case = recorded_case(text, self._case._path, self._case._has_file)
            return self._case

    # ---- Going on -------------------------------------------------------------------------------------------------

    def step(self, count: int = 1) -> int:
        """Makes up to `count` time steps; fewer only if the last stage ends. Returns their number.

        Raises:
            RunError: the last stage has ended before; a step fails.
        """
        if count > 0 and self.is_done:
            raise RunError(f"the last stage has ended at step {self.steps}: change its end, {self._stage_key()}.until, "
                           "or add a stage to the case")
        return self._advance(count, False)

    def finish_stage(self, *, limit: int = 2**62) -> int:
        """Makes all steps to the end of the present stage, at most `limit`. Returns their number."""
        return self._advance(limit, True)

    def finish(self) -> int:
        """Makes all steps to the end of the last stage. Returns their number. To write files, use `run`."""
        return self._advance(2**62, False)

    def _advance(self, count: int, ends_with_stage: bool, check: Callable[[], object] | None = None) -> int:
        """`check` is called now and then."""
        made, error, total = ffi.new("long *"), ffi.new("binding_error *"), 0
        with self._use() as c:
            while total < count:
                if not lib.binding_simulation_step(c, count - total, INTERVAL, ends_with_stage, made, error):
                    raise_fault(error)
                total += made[0]
                position = self._position()
                if made[0] == 0 or position.is_done or (ends_with_stage and position.stage_has_ended):
                    break
                if check:
                    check()
        return total

    def until(self, condition: Callable[[Measures], object], *, every: int = 100, limit: int | None = None) -> Measures:
        """Steps until the condition holds: it is asked before the first step, after every `every` steps and after the
        last one.

        Args:
            condition: gets the measures, `lambda m: m.strain_zz > 0.01`; its result counts as true or false.
            every: steps between two questions. Measuring takes as long as some steps.
            limit: largest number of steps, after which a RunError is raised.

        Returns:
            The measures for which the condition holds.

        Raises:
            RunError: the last stage, or the limit, has ended before.
        """
        if every < 1:
            raise ValueError("every must be 1 or more")
        total = 0
        while not condition(now := self.measures):
            if self.is_done:
                raise RunError(f"the last stage has ended at step {self.steps}, before the condition held")
            if limit is not None and total >= limit:
                raise RunError(f"the condition does not hold after {total} steps")
            total += self.step(every if limit is None else min(every, limit - total))
        return now

    def run(self, out: str | os.PathLike[str], *, resume: bool = False, force: bool = False,
            progress: ProgressLike = None) -> Run:
        """Runs the case to its end with all files, as Case.run does; afterwards the simulation is in the last state.

        The simulation must not have made a step, unless `resume` replaces its state by the last checkpoint in
        `out`. While it runs it cannot be read.
        """
        directory = os.path.expanduser(out)
        with self._use() as c:
            settings, kept = run_settings(directory, 0, resume, force, self.case)

            def work(watch: Any, error: Any, _kept: object = kept) -> Any:
                return lib.binding_simulation_run(c, settings, watch, error)
            worker = self._worker = Worker(work)
            try:
                return execute(worker, directory, progress)
            finally:
                worker.withdraw()  # if it has not begun

    # ---- Changing -------------------------------------------------------------------------------------------------

    def change(self, changes: Changes) -> None:
        """Changes values of the case while the simulation is under way, with the keys of Case: the present stage's
        control, friction, damping and end, and anything in later stages. The next step obeys them, checkpoints keep
        them."""
        texts = settings_of(changes)
        settings, kept = text_array(texts)
        error = ffi.new("binding_error *")
        with self._use() as c:
            if not lib.binding_simulation_change(c, settings, len(texts), error):
                raise_fault(error, of_case=True)
        del kept

    def set_friction(self, friction: float) -> None:
        """Changes the friction coefficient from now on."""
        self.change({f"{self._stage_key()}.friction": friction})

    def set_control(self, **components: Any) -> None:
        """Changes the loading from the next step on: `set_control(zz={"strain_rate": 0.1}, xx={"stress": 100e3})`.

        Args:
            components: of xx, yy, zz, xy, xz, yz, and mean_stress and until; values as in the case file,
                docs/case.md#control. What is not named stays as it is.
        """
        unknown = set(components) - {*COMPONENTS, *BESIDE_CONTROL}
        if unknown or not components:
            known = ", ".join((*COMPONENTS, *BESIDE_CONTROL))
            raise ValueError(f"set_control takes {known}, not {', '.join(sorted(unknown)) or 'nothing'}")
        stage = self._stage_key()
        self.change({f"{stage}.{key}" if key in BESIDE_CONTROL else f"{stage}.control.{key}": value
                     for key, value in components.items()})

    def _stage_key(self) -> str:
        """Of the stage that the next step belongs to; of the last one if that has ended."""
        now = self._position()
        number = now.stage + 1 if now.stage_has_ended and now.stage < now.stage_count else now.stage
        if number == 0:
            raise RunError("the assembly is being packed: finish_stage() first")
        return f"stages.{number - 1}"

    # ---- Reading --------------------------------------------------------------------------------------------------

    def _position(self) -> Any:
        with self._use() as c:
            return lib.binding_simulation_position(c)

    @property
    def steps(self) -> int:
        """Steps so far, packing included."""
        return int(self._position().step)

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return float(self._position().time)

    @property
    def stage(self) -> int:
        """Number of the present stage; 0: packing. A stage that has ended is the present one until the next step."""
        return int(self._position().stage)

    @property
    def stage_name(self) -> str:
        """Name of the present stage."""
        with self._use() as c:
            return str(ffi.string(lib.binding_simulation_stage_name(c)).decode())

    @property
    def stage_has_ended(self) -> bool:
        """Was the last step the last one of its stage?"""
        return bool(self._position().stage_has_ended)

    @property
    def is_done(self) -> bool:
        """Has the last stage ended?"""
        return bool(self._position().is_done)

    @property
    def threads(self) -> int:
        """The number of threads."""
        return int(self._position().threads)

    @property
    def bytes(self) -> int:
        """Memory of the simulation."""
        return int(self._position().bytes)

    @property
    def hash(self) -> str:
        """A hash of positions, velocities, forces and all histories, as in the summary of a run."""
        with self._use() as c:
            value = lib.binding_simulation_hash(c)
        if value == 0:
            raise MemoryError("no memory for the hash")
        return f"{value:016x}"

    @property
    def measures(self) -> Measures:
        """All measures at this moment; takes as long as some steps."""
        values = np.empty(len(MEASURES))
        with self._use() as c:
            lib.binding_simulation_measure(c, pointer(values))
        return Measures(values)

    @property
    def cycle(self) -> dict[str, float] | None:
        """The cycle that ended with the last step (the columns of cycles.csv); None: none has."""
        values = np.empty(len(CYCLE_VALUES))
        with self._use() as c:
            has_ended = lib.binding_simulation_cycle(c, pointer(values))
        return dict(zip(CYCLE_VALUES, values.tolist())) if has_ended else None

    def snapshot(self) -> Snapshot:
        """Spheres, grains, contacts and cell at this moment."""
        view, error = ffi.new("dem_snapshot *"), ffi.new("binding_error *")
        with self._use() as c:
            if not lib.binding_simulation_snapshot(c, view, error):
                raise_fault(error)
        try:
            cell = np.frombuffer(ffi.buffer(ffi.addressof(view, "cell")), dtype="f8").reshape(3, 3).copy()
            return Snapshot(int(view.step), float(view.time), cell,
                            _copy(view.spheres, view.sphere_count, SPHERE),
                            _copy(view.contacts, view.contact_count, CONTACT),
                            _copy(view.grains, view.grain_count, GRAIN))
        finally:
            lib.binding_snapshot_free(view)

    def spheres(self) -> npt.NDArray[np.void]:
        """The spheres by rising id: id, position, radius, velocity, angular_velocity, force, pressure, contacts, and
        grain, the id of the grain to which the sphere belongs; its own if the spheres are the grains."""
        return self.snapshot().spheres

    def grains(self) -> npt.NDArray[np.void]:
        """The grains of several spheres by rising id; without rows if the spheres are the grains.

        Fields: id, shape, position (of the centroid), quaternion (w, x, y, z: turns the principal axes from x, y, z to
        where they are), velocity, angular_velocity, force, torque, mass, diameter (of the sphere of equal volume),
        extent, pressure, contacts, first_sphere and spheres (docs/files.md).
        """
        return self.snapshot().grains

    def contacts(self) -> npt.NDArray[np.void]:
        """The contacts: ids, branch, zeta, normal, fn, force, ft, state, length (docs/files.md)."""
        return self.snapshot().contacts

    @property
    def cell(self) -> Floats:
        """The edges of the periodic cell as columns, m, (3, 3)."""
        return self.snapshot().cell

    def assembly(self) -> Assembly:
        """The spheres, their grains and the cell, for `jager.write_assembly`; without contacts and their histories."""
        now, density = self.snapshot(), float(self.case.keys["material.density"])
        spheres = now.spheres
        return Assembly(spheres["position"], spheres["radius"], now.cell, ids=spheres["id"].astype(np.int64),
                        density=np.array(density), velocities=spheres["velocity"],
                        angular_velocities=spheres["angular_velocity"],
                        grain=spheres["grain"].astype(np.int64) if len(now.grains) > 0 else None)

    def contact(self, id_a: int, id_b: int) -> Contact:
        """A copy of the contact between two spheres, with its whole history; a RunError if they do not touch.

        The order of the arguments does not matter: `radii_of_bodies` has the sphere with the smaller id first, as
        `contacts()["ids"]` has. `ft` is along axes of the simulator's own, which turn with the spheres; its direction
        in space is in `contacts()["force"]`.
        """
        size, law, error = ffi.new("size_t *"), ffi.new("jager_law *"), ffi.new("binding_error *")
        with self._use() as c:
            data = lib.binding_simulation_contact(c, id_a, id_b, size, law, error)
            if data == ffi.NULL:
                raise_fault(error)
            try:
                packed, radius = bytes(ffi.buffer(data, size[0])), self.spheres()["radius"]
            finally:
                lib.binding_text_free(data)
        radii = (float(radius[min(id_a, id_b)]), float(radius[max(id_a, id_b)]))
        return unpack(law_from_c(law[0]), radii, np.zeros(2), packed)

    # ---- Copies ---------------------------------------------------------------------------------------------------

    def checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Writes the whole state to a file; `restore` continues from it to the same bits."""
        error = ffi.new("binding_error *")
        with self._use() as c:
            if not lib.binding_simulation_checkpoint(c, c_path(path), error):
                raise_fault(error)

    @classmethod
    def restore(cls, path: str | os.PathLike[str], *, threads: int = 0) -> Simulation:
        """A simulation that continues from a checkpoint, of this class or of a run.

        Relative paths in its case begin in the folder of the checkpoint.
        """
        return cls._restore(path, threads, os.fspath(path), False)

    @classmethod
    def _restore(cls, path: str | os.PathLike[str], threads: int, case_path: str, has_file: bool) -> Simulation:
        error = ffi.new("binding_error *")
        simulation = cls.__new__(cls)
        simulation._take(lib.binding_simulation_restore(c_path(path), thread_count(threads), error), error)
        text = ffi.string(lib.binding_simulation_input(simulation._handle)).decode()
        simulation._case = recorded_case(text, case_path, has_file)
        return simulation

    def copy(self) -> Simulation:
        """An independent simulation in the same state, to the bit."""
        error = ffi.new("binding_error *")
        with self._use() as c:
            twin = Simulation.__new__(Simulation)
            twin._take(lib.binding_simulation_copy(c, error), error)
            twin._case = self._case
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Simulation:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "state.jck"
            self.checkpoint(path)
            return _from_bytes, (path.read_bytes(), self.threads, self._case._path, self._case._has_file)

    def __repr__(self) -> str:
        now = self._position()
        return (f"<jager.Simulation {self.case.title!r}: {_count_of(now)}, {now.contacts} contacts, "
                f"step {now.step}, stage {now.stage} '{self.stage_name}'{', done' if now.is_done else ''}>")

    def _repr_html_(self) -> str:
        now, m = self._position(), self.measures
        rows = {"case": self.case.title, "stage": f"{now.stage} '{self.stage_name}', {100.0 * now.fraction:.0f} %",
                "step": now.step, "spheres": _count_of(now)[:-len(" spheres")], "contacts": now.contacts,
                "p": f"{m.p:.5g} Pa", "q": f"{m.q:.5g} Pa", "void ratio": f"{m.void_ratio:.4f}", "threads": now.threads}
        cells = "".join(f"<tr><th>{key}</th><td>{html.escape(str(value))}</td></tr>" for key, value in rows.items())
        return f"<table><caption>jager.Simulation</caption>{cells}</table>"


def _count_of(position: Any) -> str:
    """"200 spheres", "100 grains of 200 spheres"."""
    grains = f"{position.grains} grains of " if position.grains != position.spheres else ""
    return f"{grains}{position.spheres} spheres"


def _copy(views: Any, count: int, dtype: np.dtype[np.void]) -> npt.NDArray[np.void]:
    """An array without gaps, as the snapshots of a run have it."""
    names = dtype.names or ()
    table = np.zeros(count, dtype=[(name, dtype[name]) for name in names])
    if count > 0:
        seen = np.frombuffer(ffi.buffer(views, count * dtype.itemsize), dtype=dtype)
        for name in names:
            table[name] = seen[name]
    return table


def _from_bytes(data: bytes, threads: int, case_path: str, has_file: bool) -> Simulation:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "state.jck"
        path.write_bytes(data)
        return Simulation._restore(path, threads, case_path, has_file)
