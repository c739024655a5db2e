# SPDX-License-Identifier: MIT
"""keep_seeds.py FOLDER ARCHIVE: the smallest inputs of a folder, as many as an archive may hold, the same bytes each time."""

import hashlib
import pathlib
import sys
import zipfile

# Of all archives together that is well below a megabyte.
MOST = 16 << 10
LARGEST = 4096

folder, archive = map(pathlib.Path, sys.argv[1:])
archive.parent.mkdir(exist_ok=True)
left, count = MOST, 0
with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
    for seed in sorted((file.read_bytes() for file in folder.iterdir()), key=lambda seed: (len(seed), seed)):
        if not 0 < len(seed) <= min(left, LARGEST):
            continue
        left -= len(seed)
        count += 1
        # A date of its own would make other bytes each time.
        out.writestr(zipfile.ZipInfo(hashlib.sha256(seed).hexdigest()[:16]), seed, zipfile.ZIP_DEFLATED, 9)
if count == 0:
    sys.exit(f"{archive.name} would hold nothing")
print(f"{archive}: {count} inputs, {archive.stat().st_size} bytes")
