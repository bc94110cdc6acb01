"""The filter of system calls, on both machines it is made for: run here, instruction by instruction, as the kernel would."""

from __future__ import annotations

import errno
import os
import struct

import pytest
from lattice_common.adapters.files.confinement import program_for

ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOWED, KILLED, REFUSED = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM


def verdict(machine: str, number: int, *arguments: int, arch: int | None = None) -> int:
    """What the filter says of a system call: the operand of the instruction that returns."""
    held = struct.pack("=IIQ6Q", number, ARCH[machine] if arch is None else arch, 0, *[*arguments, *[0] * 6][:6])
    program = [struct.unpack("=HBBI", each) for each in program_for(machine)]
    at = value = 0
    while True:
        code, then, otherwise, operand = program[at]
        at += 1
        match code:
            case 0x20:
                (value,) = struct.unpack_from("=I", held, operand)
            case 0x15 | 0x35 | 0x45:
                holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[code]
                at += then if holds else otherwise
            case 0x06:
                return operand
            case _:
                raise AssertionError(code)


@pytest.mark.parametrize(
    ("machine", "numbers"),
    [
        # read, write, close, mmap, exit_group, getrandom, futex
        ("x86_64", (0, 1, 3, 9, 231, 318, 202)),
        ("aarch64", (63, 64, 57, 222, 94, 278, 98)),
    ],
)
def test_what_reading_needs_is_allowed(machine: str, numbers: tuple[int, ...]) -> None:
    assert {verdict(machine, number) for number in numbers} == {ALLOWED}


@pytest.mark.parametrize(
    ("machine", "numbers"),
    [
        # socket, connect, execve, ptrace, clone, clone3, kill, io_uring_setup, unlinkat, renameat2, openat2
        ("x86_64", (41, 42, 59, 101, 56, 435, 62, 425, 263, 316, 437)),
        ("aarch64", (198, 203, 221, 117, 220, 435, 129, 425, 35, 276, 437)),
    ],
)
def test_network_programs_processes_and_changes_are_refused(machine: str, numbers: tuple[int, ...]) -> None:
    assert {verdict(machine, number) for number in numbers} == {REFUSED}


@pytest.mark.parametrize(("machine", "openat"), [("x86_64", 257), ("aarch64", 56)])
def test_files_are_opened_to_be_read_only(machine: str, openat: int) -> None:
    assert verdict(machine, openat, 0, 0, os.O_RDONLY | os.O_CLOEXEC) == ALLOWED
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_RDWR | 0o20200000):
        assert verdict(machine, openat, 0, 0, flags) == REFUSED


def test_the_old_way_to_open_is_held_to_the_same() -> None:
    assert verdict("x86_64", 2, 0, os.O_RDONLY) == ALLOWED
    assert verdict("x86_64", 2, 0, os.O_WRONLY) == REFUSED
    assert verdict("x86_64", 2, os.O_WRONLY, os.O_RDONLY) == ALLOWED, "the flags are the second argument"


def test_system_calls_of_another_machine_end_the_process() -> None:
    assert verdict("x86_64", 0, arch=0x40000003) == KILLED  # i386: 0 is read on the one, and restart_syscall on the other
    assert verdict("x86_64", 0x40000000 | 41) == REFUSED  # socket of the x32 ABI


@pytest.mark.parametrize("machine", sorted(ARCH))
def test_no_jump_is_longer_than_the_kernel_can(machine: str) -> None:
    assert len(program_for(machine)) < 255
    assert all(len(each) == 8 for each in program_for(machine))
