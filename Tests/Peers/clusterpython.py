# SPDX-License-Identifier: MIT
"""The Python and the settings that programs with clusters run in."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = pathlib.Path(os.environ.get("APUS_LIBRARY", ROOT / ".build/developers/debug/libapus-c.so"))
RUNNING = "APUS_CLUSTER_TEST"
SETTINGS = {
    "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1",
    # Google's own servers are asked by another protocol what kind of bucket they have, which others do not speak.
    "GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT": "false",
}  # fmt: skip


def enter(script, *purposes):
    """Starts a script again in an environment with what clusters need, and what is needed for more purposes."""
    if RUNNING in os.environ:
        return
    needs = f'. "$1"/Scripts/setup; need_packages run test {" ".join(purposes)}; need_python cluster {" ".join(purposes)}; ' \
        'need_apus; echo "$python"'
    python = os.environ.get("APUS_PYTHON") or subprocess.run(
        ["bash", "-c", needs, "bash", ROOT], stdout=subprocess.PIPE, text=True, check=True,
        stdin=subprocess.DEVNULL).stdout.split()[-1]
    if not LIBRARY.exists():
        subprocess.run(["swift", "build", "--package-path", ROOT, "--product", "apus-c"], check=True)
    paths = f"{ROOT}/Sources/Python:{ROOT}/Tests/Peers"
    os.execve(python, [python, script], {
        **os.environ, **SETTINGS, RUNNING: "yes", "APUS_LIBRARY": str(LIBRARY), "PYTHONPATH": paths})
