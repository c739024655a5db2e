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
    .library(name: "Records", targets: ["Records"]),
  ],
  targets: [
    .target(name: "Bytes", swiftSettings: settings),
    .target(name: "Media", swiftSettings: settings),
    .target(name: "HEVC", dependencies: ["Bytes"], swiftSettings: settings),
    .target(
      name: "ISOBMFF", dependencies: ["Bytes", "Media", "HEVC"], swiftSettings: settings),
    .target(
      name: "HEIF", dependencies: ["Bytes", "Media", "HEVC", "ISOBMFF"], swiftSettings: settings),
    .target(
      name: "Records", dependencies: ["Bytes", "Media", "HEVC", "ISOBMFF", "HEIF"],
      swiftSettings: settings),
    .target(name: "Files", dependencies: ["Bytes"], swiftSettings: settings),
    .executableTarget(
      name: "apus", dependencies: ["Bytes", "Media", "HEVC", "ISOBMFF", "Records", "Files"],
      exclude: ["Schemas"], swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["Bytes", "Files", "ISOBMFF"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .executableTarget(
      name: "Bench", dependencies: ["Bytes", "HEVC", "ISOBMFF", "Records", "Files"],
      path: "Tests/Bench",
      swiftSettings: settings),
    .testTarget(
      name: "BytesTests", dependencies: ["Bytes", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "MediaTests", dependencies: ["Media", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "HEVCTests", dependencies: ["Bytes", "HEVC", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "HEIFTests", dependencies: ["Bytes", "ISOBMFF", "HEIF", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ApusTests", dependencies: ["apus", "Bytes", "ISOBMFF", "Files"],
      swiftSettings: settings),
    .testTarget(
      name: "ISOBMFFTests", dependencies: ["Bytes", "ISOBMFF", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RecordsTests",
      dependencies: ["Bytes", "HEVC", "ISOBMFF", "HEIF", "Files", "Records", "TestSupport"],
      swiftSettings: settings),
  ]
)
