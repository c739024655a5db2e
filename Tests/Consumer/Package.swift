// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// The products of Apus whose samples are here; each is one of README.md or of the page of its library.
let products = [
  "ApusBytes", "ApusContainers", "ApusFFmpeg", "ApusFacts", "ApusFiles", "ApusForeign",
  "ApusFoundation", "ApusLive", "ApusMedia", "ApusMetadata", "ApusPresentations", "ApusRecords",
  "ApusSamples", "ApusStills", "ApusTLS", "ApusTranscode", "ApusTransport", "AVC", "FLV", "HEIF",
  "HEVC", "HLS", "ISOBMFF", "RTMP",
]

// What somebody else's package looks like that depends on Apus.
let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Apus", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Consumer", dependencies: products.map { .product(name: $0, package: "Apus") })
  ]
)
