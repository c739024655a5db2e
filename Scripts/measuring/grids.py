# SPDX-License-Identifier: MIT
"""Large photos as phones write them, of a synthetic picture with grain: x265 codes the tiles."""

import pathlib
import subprocess

MAKING = pathlib.Path(__file__).resolve().parents[1] / "making"
TILE = 512


# Parameters as an iPhone writes them: see `tmap` in ISO/IEC 23008-12 and ISO 21496-1, C.2.
TONE_MAP = (
    "00 0000 0000 40 0000000000000001 002a8725000f4240 ffffe32b000f4240 002a8725000f4240 000dafcd000f4240"
    " 0000000a000f4240 0000000a000f4240"
)


def grid(target, width, height, thumbnail=0, has_map=False, is_single=False):
    """Makes a photo of these sides, unless it is there; with a thumbnail where that is to be so wide, and with a gain
    map of half as much each way, which takes up somewhat more than those of phones do. One that is single is no grid,
    but one coded picture, of wavefronts."""
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    columns, rows = -(-width // TILE), -(-height // TILE)
    cut = "" if is_single else f",pad={columns * TILE}:{rows * TILE},untile={columns}x{rows}"
    layout = [] if is_single else ["--grid", f"{columns}x{rows}", "--size", f"{width}x{height}"]
    scene, tiles = target.with_suffix(".ppm"), target.with_suffix(".mp4")
    subprocess.run([MAKING / "scene.py", "1008", "756", scene], check=True)
    filters = (
        f"scale={width}:{height}:flags=bicubic:out_color_matrix=smpte170m:out_range=pc,format=yuv420p,"
        f"noise=all_seed=1:c0s=12:c1s=4:c2s=4{cut}"
    )
    encode = [
        "ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", scene, "-vf", filters, "-c:v", "libx265",
        "-preset", "fast", "-force_key_frames", "expr:1", "-forced-idr", "1", "-x265-params",
        "log-level=none:open-gop=0:wpp=1:crf=20", "-tag:v", "hvc1", tiles,
    ]  # fmt: skip
    subprocess.run(encode, check=True)
    tiny = target.with_suffix(".tiny.mp4")
    if thumbnail:
        filters = f"scale={thumbnail}:{thumbnail * height // width}:out_color_matrix=smpte170m:out_range=pc,format=yuv420p"
        small = [filters if str(word).startswith("scale=") else word for word in encode]
        subprocess.run([*small[:-1], "-frames:v", "1", tiny], check=True)
    compose = [
        MAKING / "photo.py", tiles, target, *layout, "--nclx", "12,13,6,1",
        *(["--thumbnail", tiny] if thumbnail else []),
    ]  # fmt: skip
    gain_map = target.with_suffix(".map.mp4")
    if has_map:
        small = f"scale={width // 2}:{height // 2}:flags=bicubic:out_range=pc,format=gray,noise=all_seed=2:c0s=5,format=gray"
        encode[encode.index("-vf") + 1], encode[-1] = small, gain_map
        subprocess.run(encode, check=True)
        compose += ["--map", gain_map, "--tone-map", TONE_MAP]
    subprocess.run(compose, check=True)
    for path in (scene, tiles, tiny, gain_map):
        path.unlink(missing_ok=True)
    return target
