#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clauses.py [--check]: writes Sources/ApusReport/Resources/clauses.tsv, the name and the clause of each box, from the comments
of the declarations; with --check it only says whether the file is current."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "Sources/ApusReport/Resources/clauses.tsv"
# A comment, the type that it is about, and the box types that the declaration names.
DECLARATION = re.compile(
    r"((?:^[ \t]*///[^\n]*\n)+)(?:[ \t]*@\w+[^\n]*\n)*[ \t]*public (?:final )?(?:struct|enum|class) (\w+)[^\n{]*\{(.*?)^\}", re.M | re.S)
TYPES = re.compile(r"static let types: \[FourCC\] = \[(.*?)\]", re.S)
CODE = re.compile(r'"((?:[^"\\]|\\.)*)"')

# Boxes that share a declaration with others or have none.
CONTAINERS = {
    "moov": ("Movie", "ISO/IEC 14496-12, 8.2.1"), "trak": ("Track", "ISO/IEC 14496-12, 8.3.1"),
    "mdia": ("Media of a track", "ISO/IEC 14496-12, 8.4.1"), "minf": ("Media information", "ISO/IEC 14496-12, 8.4.4"),
    "dinf": ("Where the data are", "ISO/IEC 14496-12, 8.7.1"), "stbl": ("Sample table", "ISO/IEC 14496-12, 8.5.1"),
    "edts": ("Edits", "ISO/IEC 14496-12, 8.6.5"), "mvex": ("Movie extends", "ISO/IEC 14496-12, 8.8.1"),
    "moof": ("Movie fragment", "ISO/IEC 14496-12, 8.8.4"), "traf": ("Track fragment", "ISO/IEC 14496-12, 8.8.6"),
    "mfra": ("Random access to fragments", "ISO/IEC 14496-12, 8.8.9"),
    "iprp": ("Item properties", "ISO/IEC 14496-12, 8.11.14"),
    "ipco": ("Properties that items share", "ISO/IEC 14496-12, 8.11.14"),
    "meco": ("Additional metadata", "ISO/IEC 14496-12, 8.11.7"), "udta": ("User data", "ISO/IEC 14496-12, 8.10.1"),
    "mdat": ("Media data", "ISO/IEC 14496-12, 8.1.1"), "imda": ("Identified media data", "ISO/IEC 14496-12, 9.1.4"),
    "free": ("Free space", "ISO/IEC 14496-12, 8.1.2"), "skip": ("Free space", "ISO/IEC 14496-12, 8.1.2"),
    "wide": ("Room for a larger size", "QuickTime File Format"),
    "sinf": ("Protection scheme information", "ISO/IEC 14496-12, 8.12.2"),
    "rinf": ("Restricted scheme information", "ISO/IEC 14496-12, 8.15.3"),
}


def rows():
    """Each box type with the title and the clause of its declaration."""
    found = dict(CONTAINERS)
    for path in sorted((ROOT / "Sources/ISOBMFF/Boxes").rglob("*.swift")):
        for comment, _, body in DECLARATION.findall(path.read_text()):
            types = TYPES.search(body)
            if not types:
                continue
            said = " ".join(line.strip().removeprefix("///").strip() for line in comment.splitlines())
            first, _, rest = said.partition(":")
            if first.startswith("A box that holds nothing but boxes"):
                continue
            title = re.sub(r"\s*\([^)]*`[^)]*\)", "", first).strip().rstrip(".")
            title = title.replace("`", "")
            clause = re.match(r"\s*((?:ISO/IEC|QuickTime|ITU-T|AV1|ETSI|3GPP|Dolby|SMPTE|VP)[^;]*?)(?:;|\.(?:\s|$)|$)", rest)
            if len(title) > 60:
                title = title[:60].rsplit(" ", 1)[0] + " …"
            for code in CODE.findall(types[1]):
                found.setdefault(code, (title, clause[1].strip() if clause else ""))
    return found


def main():
    text = "".join(f"{code}\t{title}\t{clause}\n" for code, (title, clause) in sorted(rows().items()))
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if TABLE.read_text() == text else f"{TABLE.relative_to(ROOT)} is not current; Scripts/making/clauses.py mends it")
    TABLE.write_text(text)


main()
