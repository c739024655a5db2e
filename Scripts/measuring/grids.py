# SPDX-License-Identifier: MIT
"""Large photos as phones write them, of a synthetic picture with grain: x265 codes the tiles."""

import pathlib
import subprocess

MAKING = pathlib.Path(__file__).resolve().parents[1] / "making"
TILE = 512


def grid(target, width, height):
    """Makes a photo of these sides, unless it is there."""
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    columns, rows = -(-width // TILE), -(-height // TILE)
    scene, tiles = target.with_suffix(".ppm"), target.with_suffix(".mp4")
    subprocess.run([MAKING / "scene.py", "1008", "756", scene], check=True)
    filters = (
        f"scale={width}:{height}:flags=bicubic:out_color_matrix=smpte170m:out_range=pc,format=yuv420p,"
        f"noise=all_seed=1:c0s=12:c1s=4:c2s=4,pad={columns * TILE}:{rows * TILE},untile={columns}x{rows}"
    )
    encode = [
        "ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", scene, "-vf", filters, "-c:v", "libx265",
        "-preset", "fast", "-force_key_frames", "expr:1", "-forced-idr", "1", "-x265-params",
        "log-level=none:open-gop=0:crf=20", "-tag:v", "hvc1", tiles,
    ]  # fmt: skip
    subprocess.run(encode, check=True)
    compose = [
        MAKING / "photo.py", tiles, target, "--grid", f"{columns}x{rows}", "--size", f"{width}x{height}",
        "--nclx", "12,13,6,1",
    ]  # fmt: skip
    subprocess.run(compose, check=True)
    scene.unlink()
    tiles.unlink()
    return target
