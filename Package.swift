// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableExperimentalFeature("Lifetimes"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Apus",
  products: [
    .executable(name: "apus", targets: ["apus"]),
    .library(name: "Bytes", targets: ["Bytes"]),
    .library(name: "ISOBMFF", targets: ["ISOBMFF"]),
    .library(name: "HEVC", targets: ["HEVC"]),
  ],
  targets: [
    .target(name: "Bytes", swiftSettings: settings),
    .target(name: "Media", swiftSettings: settings),
    .target(name: "HEVC", dependencies: ["Bytes"], swiftSettings: settings),
    .target(name: "ISOBMFF", dependencies: ["Bytes", "HEVC"], swiftSettings: settings),
    .target(name: "Files", dependencies: ["Bytes"], swiftSettings: settings),
    .executableTarget(
      name: "apus", dependencies: ["Bytes", "Media", "HEVC", "ISOBMFF", "Files"],
      exclude: ["Schemas"], swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["Bytes", "ISOBMFF"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .executableTarget(
      name: "Bench", dependencies: ["Bytes", "Files", "ISOBMFF"], path: "Tests/Bench",
      swiftSettings: settings),
    .testTarget(
      name: "BytesTests", dependencies: ["Bytes", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "HEVCTests", dependencies: ["Bytes", "HEVC", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ApusTests", dependencies: ["apus", "Bytes", "Files"], swiftSettings: settings),
    .testTarget(
      name: "ISOBMFFTests", dependencies: ["Bytes", "ISOBMFF", "TestSupport"],
      swiftSettings: settings),
  ]
)
