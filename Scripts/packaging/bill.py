# SPDX-License-Identifier: MIT
"""Bills of materials (SPDX 2.3): what a package holds, file by file, and what was linked into it."""

import datetime
import hashlib
import json
import re
import subprocess

import stage
import target

OWN = "MIT"
GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"


def time_text():
    """When the last commit was made."""
    time = datetime.datetime.fromtimestamp(stage.commit_time(), datetime.timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def toolchain():
    """The runtime of Swift, which is in every program that is linked with its static libraries."""
    text = subprocess.run(
        ["swift", "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        check=True).stdout
    return component("swift", re.search(r"Swift version (\S+)", text)[1], "Apache-2.0 WITH Swift-exception", "Swift.org")


def owner(library):
    """The installed package that has a library, which may lie in /lib or, where that is the same, in /usr/lib."""
    name = library.resolve().name
    for folder in ("/usr/lib", "/lib"):
        found = subprocess.run([*target.dpkg_query(), "-S", f"{folder}/{target.multiarch}/{name}"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise SystemExit(f"no package has {library}")


def debian(package, licence="NOASSERTION"):
    """An installed package of Debian."""
    version = subprocess.run(
        [*target.dpkg_query(), "-W", "-f", "${Version}", package], stdout=subprocess.PIPE, text=True, check=True).stdout
    return component(package, version, licence, "Debian")


def component(name, version, licence, supplier):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name),
        "name": name,
        "versionInfo": version,
        "supplier": f"Organization: {supplier}",
        "downloadLocation": "NOASSERTION",
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "filesAnalyzed": False,
    }


def digest(data, algorithm):
    return {"algorithm": algorithm.upper(), "checksumValue": hashlib.new(algorithm, data).hexdigest()}


def files(folder):
    """Every file below a folder, in the order of names."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path, path.read_bytes()


def write(artifact, name, version, folder, components=()):
    """Writes the bill of a package beside it: `folder` holds what it holds."""
    listed = []
    for index, (path, data) in enumerate(files(folder), 1):
        listed.append({
            "SPDXID": f"SPDXRef-File-{index}",
            "fileName": "./" + path.relative_to(folder).as_posix(),
            "checksums": [digest(data, "sha1"), digest(data, "sha256")],
            "licenseConcluded": "NOASSERTION",
            "copyrightText": "NOASSERTION",
        })
    main = component(name, version, OWN, "The Apus authors")
    main["SPDXID"] = "SPDXRef-Package"
    main["packageFileName"] = artifact.name
    main["checksums"] = [digest(artifact.read_bytes(), "sha256")]
    main["filesAnalyzed"] = bool(listed)
    if listed:
        sums = sorted(entry["checksums"][0]["checksumValue"] for entry in listed)
        main["packageVerificationCode"] = {
            "packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest()}
    parts = list(components)
    linked = [{"spdxElementId": "SPDXRef-Package", "relationshipType": "CONTAINS", "relatedSpdxElement": part["SPDXID"]}
              for part in parts]
    held = [{"spdxElementId": "SPDXRef-Package", "relationshipType": "CONTAINS", "relatedSpdxElement": entry["SPDXID"]}
            for entry in listed]
    bill = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": artifact.name,
        "documentNamespace": f"urn:apus:{artifact.name}:{main['checksums'][0]['checksumValue']}",
        "creationInfo": {
            "created": time_text(), "creators": ["Tool: Scripts/package"]},
        "documentDescribes": ["SPDXRef-Package"],
        "packages": [main, *parts],
        "files": listed,
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
             "relatedSpdxElement": "SPDXRef-Package"}, *linked, *held],
        "hasExtractedLicensingInfos": [],
    }
    path = artifact.with_name(artifact.name + ".spdx.json")
    path.write_text(json.dumps(bill, indent=1) + "\n")
    return path
