# SPDX-License-Identifier: MIT
"""What the other modules share about the C library: statuses, states, arrays as C sees them."""
from __future__ import annotations

import enum
import json
import mmap
import threading
import os
import re
from typing import Any, Mapping, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._errors import CaseError, JagerError, RunError
from ._native import ffi, lib

Floats = npt.NDArray[np.float64]
FloatsLike = Union[npt.ArrayLike, Sequence[float]]

MODELS = tuple(ffi.string(lib.jager_model_name(k)).decode() for k in range(lib.JAGER_MODEL_COUNT))
CONTOURS = tuple(ffi.string(lib.jager_contour_name(k)).decode() for k in range(lib.JAGER_CONTOUR_COUNT))

_STATUS_NAMES: dict[int, str] = dict(ffi.typeof("jager_status").elements)


class State(enum.IntEnum):
    """The kind of the last movement of a contact. Arrays of states hold these numbers."""

    APART = 0
    ELASTIC = 1
    SLIP = 2
    SLIDE = 3


def check(status: int, about: object = "") -> None:
    """Raises a JagerError with the text of the status, unless it is JAGER_OK; `about` says what it is about."""
    if status == lib.JAGER_OK:
        return
    if status == lib.JAGER_ERROR_MEMORY:
        raise MemoryError(ffi.string(lib.jager_status_text(status)).decode())
    text = ffi.string(lib.jager_status_text(status)).decode()
    raise JagerError(f"{about}: {text}" if str(about) else text, _STATUS_NAMES.get(status))


def take_text(text: Any) -> str:
    """The text of a C string that is to be freed; "" for NULL."""
    if text == ffi.NULL:
        return ""
    copy: str = ffi.string(text).decode(errors="replace")
    lib.binding_text_free(text)
    return copy


def raise_fault(error: Any, of_case: bool = False) -> None:
    """Raises the exception that a binding_error stands for."""
    text = take_text(error.text).rstrip("\n")
    error.text = ffi.NULL
    if error.fault == lib.BINDING_NO_MEMORY:
        raise MemoryError(text or "not enough memory")
    if error.fault == lib.BINDING_INTERRUPTED:
        raise KeyboardInterrupt
    if error.fault == lib.BINDING_FILE_FAILED:
        raise OSError(text)
    raise CaseError(text) if of_case else RunError(text)


def floats(values: FloatsLike, name: str) -> Floats:
    """A copy of the values as an array of doubles, all of them finite."""
    array = np.array(values, dtype=np.float64, order="C")
    if not np.isfinite(array).all():
        where = np.argwhere(~np.isfinite(np.atleast_1d(array)))[0]
        raise JagerError(f"{name}{list(where)}: a number is NaN or infinite", "JAGER_ERROR_NOT_FINITE")
    return array


def pointer(array: npt.NDArray[Any], of: str = "double") -> Any:
    """The memory of a contiguous array, for C."""
    return ffi.from_buffer(f"{of}[]", array, require_writable=array.flags.writeable)


LARGE = 4 << 20  # bytes: results of this size have their own block of huge pages
KEPT = 128 << 20  # bytes of free blocks that are kept: the system clears new pages, which takes longer than filling

_free_blocks: list[mmap.mmap] = []
_free_lock = threading.Lock()


def _take_block(size: int) -> mmap.mmap:
    with _free_lock:
        for block in _free_blocks:
            if size <= len(block) <= 2 * size:
                _free_blocks.remove(block)
                return block
    block = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    try:
        block.madvise(mmap.MADV_HUGEPAGE)
    except OSError:  # a kernel without huge pages
        pass
    return block


def _give_block(block: mmap.mmap) -> None:
    """Called when the garbage collector finds it, perhaps while this thread holds the lock: then the block goes."""
    if not _free_lock.acquire(blocking=False):
        return
    try:
        if sum(map(len, _free_blocks)) + len(block) <= KEPT:
            _free_blocks.append(block)
    finally:
        _free_lock.release()


def empty(*shapes: tuple[int, ...]) -> list[Floats]:
    """Arrays of doubles for results, whose values are any. Large ones share a block, which is used again when all of
    them are gone."""
    sizes = [8 * int(np.prod(shape)) for shape in shapes]
    if sum(sizes) < LARGE or not hasattr(mmap, "MADV_HUGEPAGE"):
        return [np.empty(shape) for shape in shapes]
    block = _take_block(sum(sizes))
    memory = ffi.gc(ffi.from_buffer(block), lambda _: _give_block(block))
    arrays, at = [], 0
    for shape, size in zip(shapes, sizes):
        part = ffi.buffer(memory, sum(sizes))
        arrays.append(np.frombuffer(part, dtype=np.float64, count=size // 8, offset=at).reshape(shape))
        at += size
    return arrays


def settings_of(changes: object) -> list[str]:
    """Changes of a case as "key=value", from a mapping of keys to values or from such texts."""
    if changes is None:
        return []
    if isinstance(changes, Mapping):
        return [f"{key}={yaml_value(value)}" for key, value in changes.items()]
    if isinstance(changes, str) or not isinstance(changes, Sequence):
        raise TypeError("changes of a case are a dict {key: value} or a list of 'key=value'")
    return [str(change) for change in changes]


_PLAIN = re.compile(r"[-+.]?[^\W_][\w.+%/^ -]*")  # texts that stand for themselves within braces


def _yaml_item(text: str) -> str:
    """A text within braces or brackets: in quotation marks where it needs them and is not YAML with brackets itself."""
    return text if _PLAIN.fullmatch(text) or text[:1] in ('"', "'", "{", "[") else json.dumps(text, ensure_ascii=False)


def yaml_value(value: object, is_inside: bool = False) -> str:
    """A Python value as YAML on one line; texts stay as they are, so that "100 kPa" is a value with a unit."""
    if isinstance(value, str):
        return _yaml_item(value) if is_inside else value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, os.PathLike):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_yaml_item(str(key))}: {yaml_value(item, True)}" for key, item in value.items()) + "}"
    if isinstance(value, np.ndarray):
        return yaml_value(value.tolist(), is_inside)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(yaml_value(item, True) for item in value) + "]"
    raise TypeError(f"a case cannot hold a value of type {type(value).__name__}")


def c_path(path: str | os.PathLike[str]) -> bytes:
    """The path of a file for C."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError(f"the path {os.fspath(path)!r} has a NUL in it")
    return name


def thread_count(threads: int) -> int:
    """The number of threads for C."""
    if threads < 0:
        raise ValueError(f"the number of threads, {threads}, must be 1 or more, or 0: as many as there are processors")
    return threads


def text_array(texts: Sequence[str]) -> tuple[Any, list[Any]]:
    """An array of C strings, and the objects that keep it alive. C would end a text at its first NUL."""
    for text in texts:
        if "\0" in text:
            raise CaseError(f"{text!r}: it must be one line without control characters")
    kept = [ffi.new("char[]", text.encode()) for text in texts]
    array = ffi.new("const char *[]", kept) if kept else ffi.NULL
    return array, [array, *kept]
