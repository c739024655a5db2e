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
        .product(name: "ApusBytes", package: "Apus"),
        .product(name: "ApusContainers", package: "Apus"),
        .product(name: "ApusFacts", package: "Apus"),
        .product(name: "ApusFiles", package: "Apus"),
        .product(name: "ApusFoundation", package: "Apus"),
        .product(name: "ISOBMFF", package: "Apus"),
        .product(name: "ApusLive", package: "Apus"),
        .product(name: "ApusMedia", package: "Apus"),
        .product(name: "ApusRecords", package: "Apus"),
        .product(name: "RTMP", package: "Apus"),
        .product(name: "ApusStills", package: "Apus"),
        .product(name: "ApusTransport", package: "Apus"),
      ])
  ]
)
