"""Confines a process before it reads an untrusted file: no more memory, time or files than it needs; no network, no other
program, no change to any file; dead with its parent.

Limits hold on every POSIX system. The filter of system calls is Linux's (seccomp, on x86-64 and ARM64): a list of calls that fail
with EPERM, so that a library which merely tries goes on. Readers do have to open files (their own modules), to read.
"""

from __future__ import annotations

import ctypes
import errno
import math
import os
import platform
import resource
import signal
import struct
import sys
from typing import Final

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38
_SECCOMP_MODE_FILTER = 2
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM
_NUMBER_AT, _ARCH_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_X32 = 0x40000000
"""System calls of the 32-bit ABI on x86-64 have other numbers: all are refused."""

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | 0o20000000
"""Flags of `open` that change something; the last is O_TMPFILE's own bit."""

_OPEN: Final = {"x86_64": ((2, 1), (257, 2)), "aarch64": ((56, 2),)}
"""`open` and `openat`: number, and index of the argument with the flags."""

_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# fmt: off
_REFUSED: Final = {
    # name: number on x86-64, on ARM64; 0 where there is none
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242), "sendto": (44, 206), "sendmsg": (46, 211), "sendmmsg": (307, 269),
    "execve": (59, 221), "execveat": (322, 281), "fork": (57, 0), "vfork": (58, 0), "clone": (56, 220), "clone3": (435, 435),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kill": (62, 129),
    "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438), "prlimit64": (302, 261), "setrlimit": (160, 164),
    "io_uring_setup": (425, 425), "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218), "mount": (165, 40), "umount2": (166, 39),
    "unshare": (272, 97), "setns": (308, 268), "chroot": (161, 51), "pivot_root": (155, 41), "open_by_handle_at": (304, 265),
    "openat2": (437, 437), "creat": (85, 0), "rename": (82, 0), "renameat": (264, 38), "renameat2": (316, 276),
    "unlink": (87, 0), "unlinkat": (263, 35), "mkdir": (83, 0), "mkdirat": (258, 34), "rmdir": (84, 0), "link": (86, 0),
    "linkat": (265, 37), "symlink": (88, 0), "symlinkat": (266, 36), "chmod": (90, 0), "fchmod": (91, 52),
    "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, 0), "fchown": (93, 55), "lchown": (94, 0),
    "fchownat": (260, 54), "truncate": (76, 45), "ftruncate": (77, 46), "mknod": (133, 0), "mknodat": (259, 33),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "utimensat": (280, 88),
}
# fmt: on


def limit(*, memory_bytes: int, cpu_seconds: float, wall_seconds: float) -> None:
    """Limit this process for good: address space, processor time (the kernel kills it there), open files, no file written, no
    process started, no core dumped. `wall_seconds` is only a last resort, by this process's own alarm."""
    cpu = max(1, math.ceil(cpu_seconds))
    for which, soft, hard in (
        (resource.RLIMIT_AS, memory_bytes, memory_bytes),
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_FSIZE, 0, 0),
        (resource.RLIMIT_NOFILE, 64, 64),
        (resource.RLIMIT_NPROC, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        most = resource.getrlimit(which)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(which, (soft, hard))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, wall_seconds)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when `parent`, its parent's id, is gone. Nothing outside Linux."""
    if sys.platform == "linux":
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)  # it went before the call


def refuse_system_calls() -> bool:
    """Refuse network, other programs, other processes, and writing, from here on and for good in this process. Return false where
    the system has no such filter."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in _ARCH or sys.maxsize < 2**32:
        return False
    program = program_for(machine)
    code = ctypes.create_string_buffer(b"".join(program), len(program) * 8)
    # struct sock_fprog: a length and, on its own boundary, a pointer.
    wanted = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(code)))
    try:
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)
        _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(wanted))
    except OSError:
        return False
    return True


def program_for(machine: str) -> list[bytes]:
    """Return the filter as a classic BPF program, 8 bytes an instruction; jumps count instructions ahead."""
    column = 0 if machine == "x86_64" else 1
    numbers = sorted(pair[column] for pair in _REFUSED.values() if pair[column])
    # The end is [allow, refuse]: the length of each jump follows from the number of instructions in between.
    tests: list[tuple[int, int, int]] = []  # code, operand, jump: 0 none, 1 to `refuse`
    if machine == "x86_64":
        tests.append((_JUMP_AT_LEAST, _X32, 1))
    tests += [(_JUMP_EQUAL, number, 1) for number in numbers]
    for number, argument in _OPEN[machine]:
        tests += [
            (_JUMP_EQUAL, number, 2),
            (_LOAD, _FIRST_ARGUMENT_AT + 8 * argument, 0),
            (_JUMP_ANY_BIT, _WRITES, 1),
            (_LOAD, _NUMBER_AT, 0),
        ]
    start = [
        _instruction(_LOAD, _ARCH_AT),
        _instruction(_JUMP_EQUAL, _ARCH[machine], 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NUMBER_AT),
    ]
    body = []
    for at, (code, operand, jump) in enumerate(tests):
        refuse = len(tests) - at  # over the rest of the tests and `allow`
        then, otherwise = {0: (0, 0), 1: (refuse, 0), 2: (0, 3)}[jump]
        body.append(_instruction(code, operand, then, otherwise))
    return [*start, *body, _instruction(_RETURN, _ALLOW), _instruction(_RETURN, _REFUSE)]


def _instruction(code: int, operand: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", code, then, otherwise, operand)


def _prctl(option: int, first: int, second: int = 0) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    arguments = [ctypes.c_ulong(each) for each in (first, second, 0, 0)]
    if libc.prctl(ctypes.c_int(option), *arguments) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
