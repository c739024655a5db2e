// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// What somebody else's package looks like that depends on Apus. Its samples are those of README.md and of the pages of the libraries.
let package = Package(
  name: "Consumer",
  dependencies: [
    .package(name: "Apus", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Consumer",
      dependencies: [
        .product(name: "Bytes", package: "Apus"),
        .product(name: "Containers", package: "Apus"),
        .product(name: "Facts", package: "Apus"),
        .product(name: "Files", package: "Apus"),
        .product(name: "ISOBMFF", package: "Apus"),
        .product(name: "Live", package: "Apus"),
        .product(name: "Media", package: "Apus"),
        .product(name: "Records", package: "Apus"),
        .product(name: "RTMP", package: "Apus"),
        .product(name: "Stills", package: "Apus"),
        .product(name: "Transport", package: "Apus"),
      ])
  ]
)
