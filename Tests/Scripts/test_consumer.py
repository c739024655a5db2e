# SPDX-License-Identifier: MIT
"""Apus can be depended on: its modules stand beside those of other packages in one graph, and a package that has it by
its path builds, also with plain `swift build`, and runs the samples of README.md and of the libraries' pages."""

import json

import pytest

from programs import FIXTURES, ROOT, printed, run
from sample import consume

# The modules of packages that a program of somebody else depends on; stubs have their names.
PACKAGES = {
    "swift-png": ["PNG", "LZ77"],
    "swift-jpeg": ["JPEG", "JPEGInspection"],
    "swift-hash": ["Base16", "Base64", "BaseDigits", "CRC", "MessageAuthentication", "SHA2"],
    "swift-json": ["JSON", "JSONAST", "JSONDecoding", "JSONEncoding", "JSONParsing"],
    "swift-nio": [
        "NIO", "NIOConcurrencyHelpers", "NIOCore", "NIOEmbedded", "NIOFileSystem", "NIOFoundationCompat", "NIOHTTP1",
        "NIOPosix", "NIOTLS", "NIOTestUtils", "NIOWebSocket", "CNIOAtomics", "CNIODarwin", "CNIOLLHTTP", "CNIOLinux",
        "CNIOSHA1", "CNIOWindows", "_NIODataStructures",
    ],
    "swift-nio-ssl": ["NIOSSL", "CNIOBoringSSL", "CNIOBoringSSLShims"],
    "swift-system": ["SystemPackage", "CSystem"],
    "swift-collections": [
        "BitCollections", "Collections", "DequeModule", "HashTreeCollections", "HeapModule", "InternalCollectionsUtilities",
        "OrderedCollections", "_RopeModule",
    ],
    "swift-log": ["Logging"],
    "swift-crypto": ["Crypto", "CryptoExtras", "_CryptoExtras", "CCryptoBoringSSL", "CCryptoBoringSSLShims", "CXKCP"],
    "swift-argument-parser": ["ArgumentParser", "ArgumentParserToolInfo"],
    "vapor": ["Vapor", "CVaporBcrypt", "VaporTesting", "XCTVapor"],
}
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "{name}",
  products: [{products}],
  dependencies: [{dependencies}],
  targets: [{targets}]
)
"""


def package(folder, name, targets, products=(), dependencies=()):
    """Writes a manifest; `targets` gives the dependencies of each."""
    folder.mkdir(parents=True)
    for target in targets:
        (folder / "Sources" / target).mkdir(parents=True)
        (folder / "Sources" / target / "File.swift").write_text("public struct Nothing {}\n")
    (folder / "Package.swift").write_text(MANIFEST.format(
        name=name,
        products=", ".join(f'.library(name: "{product}", targets: ["{product}"])' for product in products),
        dependencies=", ".join(dependencies),
        targets=", ".join(
            f'.target(name: "{target}", dependencies: [{", ".join(needs)}])' for target, needs in targets.items()),
    ))


def products():
    """The libraries that the manifest of Apus offers."""
    dump = printed("swift", "package", "--package-path", ROOT, "--scratch-path", ROOT / ".build/consumer", "dump-package")
    return [product["name"] for product in json.loads(dump)["products"] if "library" in product["type"]]


def needed(package, modules):
    return [f'.product(name: "{module}", package: "{package}")' for module in modules]


def test_a_graph_has_apus_and_modules_of_others_and_what_needs_both_is_built(folder):
    libraries = products()
    paths = [f'.package(name: "Apus", path: "{ROOT}")']
    others, some = [], []
    for name, modules in PACKAGES.items():
        package(folder / name, name, {module: [] for module in modules}, products=modules)
        paths.append(f'.package(path: "../{name}")')
        others += needed(name, modules)
        some += needed(name, modules[:1])
    # All of Apus and of the others is in the graph, which is refused if two of its modules have one name; what is pure and small
    # is built, with one module of each.
    targets = {
        "All": needed("Apus", libraries) + others,
        "Some": needed("Apus", ["ApusBytes", "AVC"]) + some,
    }
    package(folder / "consumer", "consumer", targets, dependencies=paths)
    imports = [modules[0] for modules in PACKAGES.values()] + ["ApusBytes", "AVC"]
    (folder / "consumer/Sources/Some/File.swift").write_text(
        "".join(f"import {module}\n" for module in imports) + "let groups = AVCSliceGroups.self\n")
    run("swift", "build", "--package-path", folder / "consumer", "--target", "Some", seconds=1200)


@pytest.mark.released
def test_the_samples_of_the_pages_build_and_run(folder):
    assert [line for line in consume(FIXTURES, folder).splitlines() if line.startswith("it ")]
