# SPDX-License-Identifier: MIT
"""The library that lets calls fail (faults.c), and the file by which the processes of a run count them."""

import os
import pathlib
import shutil
import struct
import subprocess


class Shim:
    def __init__(self, work):
        self.library = work / "faults.so"
        self.state = work / "state"
        # The compiler that comes with Swift; no other is needed anywhere.
        compiler = pathlib.Path(shutil.which("swift")).resolve().parent / "clang"
        subprocess.run([compiler, "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", self.library,
                        pathlib.Path(__file__).with_name("faults.c"), "-ldl"], check=True, stdin=subprocess.DEVNULL)

    def environment(self, folder, at=0, error=0, sticky=False):
        # Confined processes get the variables of the loader and few others.
        self.state.write_bytes(bytes(16))
        values = {"LD_PRELOAD": self.library, "LD_FAULT_STATE": self.state, "LD_FAULT_ROOT": folder, "LD_FAULT_AT": at,
                  "LD_FAULT_ERROR": error, "TMPDIR": folder.parent, **({"LD_FAULT_STICKY": 1} if sticky else {})}
        return {**os.environ, **{name: str(value) for name, value in values.items()}}

    @property
    def calls(self):
        return struct.unpack("<QQ", self.state.read_bytes())[0]
