# SPDX-License-Identifier: BSD-2-Clause
"""Lists of what a spec may name."""
from __future__ import annotations

import dataclasses
from typing import Any

from ._library import ffi, lib, text
from .context import Context, context_of


@dataclasses.dataclass(frozen=True)
class Option:
    """A key of a spec."""

    name: str
    summary: str
    values: str
    default: str


@dataclasses.dataclass(frozen=True)
class Choice:
    """A method, backend, preconditioner or storage format."""

    name: str
    summary: str
    aliases: tuple[str, ...]
    options: tuple[Option, ...]
    columns: bool  # works on several columns at once


def _words(function: Any, option: Any) -> str:
    buffer = ffi.new('char[]', 200)
    function(option, buffer, len(buffer))
    return text(buffer)


def _options(keys: Any) -> tuple[Option, ...]:
    options, k = [], 0
    while keys and keys[k].name:
        if not lib.ovk_option_is_for_tests(keys + k):
            options.append(Option(text(keys[k].name), text(keys[k].summary),
                                  _words(lib.ovk_option_values, keys + k),
                                  _words(lib.ovk_option_default, keys + k)))
        k += 1
    return tuple(options)


def _choices(function: Any, context: Context | None) -> list[Choice]:
    pointer = (context or context_of()).pointer
    choices: list[Choice] = []
    entry = ffi.new('ovk_choice *', {'size': ffi.sizeof('ovk_choice')})
    while function(pointer, len(choices), entry):
        choices.append(Choice(text(entry.name), text(entry.summary), tuple(text(entry.aliases).split()),
                              _options(entry.keys), bool(entry.columns)))
    return choices


def methods(context: Context | None = None) -> list[Choice]:
    """The Krylov methods."""
    return _choices(lib.ovk_list_methods, context)


def backends(context: Context | None = None) -> list[Choice]:
    """The backends of reductions."""
    return _choices(lib.ovk_list_backends, context)


def preconditioners(context: Context | None = None) -> list[Choice]:
    """The preconditioners."""
    return _choices(lib.ovk_list_preconds, context)


def formats(context: Context | None = None) -> list[Choice]:
    """The storage formats of matrices."""
    return _choices(lib.ovk_list_formats, context)
