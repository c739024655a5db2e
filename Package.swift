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
    .library(name: "FLV", targets: ["FLV"]),
    .library(name: "HLS", targets: ["HLS"]),
    .library(name: "RTMP", targets: ["RTMP"]),
    .library(name: "Records", targets: ["Records"]),
    .library(name: "Stills", targets: ["Stills"]),
    .library(name: "Video", targets: ["Video"]),
  ],
  targets: [
    .target(name: "Bytes", swiftSettings: settings),
    .target(name: "JSON", swiftSettings: settings),
    .target(name: "Media", swiftSettings: settings),
    .target(name: "HEVC", dependencies: ["Bytes"], swiftSettings: settings),
    .target(
      name: "ISOBMFF", dependencies: ["Bytes", "Media", "HEVC"], swiftSettings: settings),
    .target(
      name: "HEIF", dependencies: ["Bytes", "Media", "HEVC", "ISOBMFF"], swiftSettings: settings),
    .target(
      name: "Records",
      dependencies: ["Bytes", "Media", "HEVC", "ISOBMFF", "HEIF", "FLV", "Metadata"],
      swiftSettings: settings),
    .target(name: "FLV", dependencies: ["Bytes", "Media", "HEVC"], swiftSettings: settings),
    .target(name: "RTMP", dependencies: ["Bytes", "Media", "FLV"], swiftSettings: settings),
    .target(name: "HLS", dependencies: ["Bytes", "Media"], swiftSettings: settings),
    .systemLibrary(name: "CFiles"),
    .target(name: "Files", dependencies: ["Bytes", "CFiles"], swiftSettings: settings),
    .target(name: "Metadata", dependencies: ["Bytes", "Media"], swiftSettings: settings),
    .target(name: "Colour", dependencies: ["Bytes", "Media"], swiftSettings: settings),
    .systemLibrary(name: "CFFmpeg"),
    .systemLibrary(name: "CPages"),
    .systemLibrary(name: "CPixel"),
    .target(
      name: "Intra", dependencies: ["Bytes", "CPixel", "HEVC", "Media"], swiftSettings: settings),
    .systemLibrary(name: "CDe265"),
    .systemLibrary(name: "CHEIF"),
    .systemLibrary(name: "CSPNG"),
    .systemLibrary(name: "CSandbox"),
    .systemLibrary(name: "CSockets"),
    .systemLibrary(name: "CTLS"),
    .systemLibrary(name: "CX265"),
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "TLS", dependencies: ["CTLS"], swiftSettings: settings),
    .target(
      name: "Transport", dependencies: ["Bytes", "CSockets", "Media", "FLV", "RTMP", "TLS"],
      swiftSettings: settings),
    .target(name: "FFmpeg", dependencies: ["CFFmpeg", "CPages", "Media"], swiftSettings: settings),
    .target(
      name: "De265", dependencies: ["Bytes", "CDe265", "HEVC", "Media"], swiftSettings: settings),
    .target(name: "X265", dependencies: ["CX265", "Media"], swiftSettings: settings),
    .target(name: "LibHEIF", dependencies: ["CHEIF", "Media"], swiftSettings: settings),
    .target(name: "JPEG", dependencies: ["CJPEG", "Media"], swiftSettings: settings),
    .target(name: "PNG", dependencies: ["CSPNG", "Media"], swiftSettings: settings),
    .target(
      name: "Stills",
      dependencies: [
        "Bytes", "CPages", "Media", "HEVC", "ISOBMFF", "HEIF", "Files", "Metadata", "Colour",
        "FFmpeg",
        "De265", "Intra", "LibHEIF", "JPEG", "PNG", "X265",
      ], swiftSettings: settings),
    .target(
      name: "Video",
      dependencies: [
        "Bytes", "Media", "HEVC", "ISOBMFF", "FLV", "HLS", "Records", "RTMP", "TLS", "Transport",
        "Files", "FFmpeg", "De265", "X265",
      ], swiftSettings: settings),
    .executableTarget(
      name: "apus",
      dependencies: [
        "Bytes", "CSandbox", "Media", "HEVC", "ISOBMFF", "HEIF", "FLV", "HLS", "RTMP", "TLS",
        "Transport", "Records", "Files", "Stills", "Video", "JSON",
      ],
      exclude: ["Schemas"], swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["Bytes", "Media", "HEVC", "ISOBMFF", "HEIF", "Files"],
      path: "Tests/TestSupport", swiftSettings: settings),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "Bytes", "Media", "HEVC", "ISOBMFF", "FLV", "Records", "Files", "Colour", "RTMP",
        "Transport", "FFmpeg", "Video", "De265", "HEIF", "Intra",
      ],
      path: "Tests/Bench",
      swiftSettings: settings),
    .executableTarget(
      name: "TileDamage",
      dependencies: ["Bytes", "Media", "ISOBMFF", "HEIF", "Files", "Intra", "FFmpeg", "De265"],
      path: "Tests/TileDamage", swiftSettings: settings),
    .executableTarget(
      name: "Segments", dependencies: ["Bytes", "Metadata", "Files"], path: "Tests/Segments",
      swiftSettings: settings),
    .testTarget(
      name: "BytesTests", dependencies: ["Bytes", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: settings),
    .testTarget(
      name: "MediaTests", dependencies: ["Media", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "MetadataTests", dependencies: ["Bytes", "Media", "Metadata", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ColourTests", dependencies: ["Bytes", "Media", "Colour", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "FFmpegTests",
      dependencies: ["Bytes", "HEVC", "Media", "FFmpeg", "Video", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "IntraTests",
      dependencies: [
        "Bytes", "HEVC", "Media", "FFmpeg", "De265", "Intra", "X265", "TestSupport",
      ], exclude: ["COVERAGE.md"], swiftSettings: settings),
    .testTarget(
      name: "De265Tests", dependencies: ["Media", "De265", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "X265Tests", dependencies: ["Bytes", "HEVC", "Media", "FFmpeg", "X265", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "LibHEIFTests", dependencies: ["Media", "LibHEIF", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "JPEGTests", dependencies: ["Media", "JPEG", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "PNGTests", dependencies: ["Media", "PNG", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "StillsTests",
      dependencies: [
        "Bytes", "Files", "Media", "ISOBMFF", "HEVC", "HEIF", "JPEG", "Stills", "X265",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "HEVCTests", dependencies: ["Bytes", "HEVC", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "FLVTests", dependencies: ["Bytes", "Media", "HEVC", "FLV", "Files", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RTMPTests", dependencies: ["Bytes", "FLV", "RTMP", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "TransportTests",
      dependencies: ["Bytes", "Media", "FLV", "RTMP", "TLS", "Transport", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "VideoTests",
      dependencies: [
        "Bytes", "Media", "HEVC", "ISOBMFF", "FLV", "HLS", "RTMP", "TLS", "Transport", "Files",
        "Video", "FFmpeg", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "HEIFTests",
      dependencies: ["Bytes", "Media", "HEVC", "ISOBMFF", "HEIF", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ApusTests",
      dependencies: [
        "apus", "Bytes", "Media", "ISOBMFF", "HEIF", "FLV", "RTMP", "Transport", "Video", "Files",
      ], swiftSettings: settings),
    .testTarget(
      name: "HLSTests", dependencies: ["Bytes", "Media", "HLS"], swiftSettings: settings),
    .testTarget(
      name: "ISOBMFFTests", dependencies: ["Bytes", "Media", "ISOBMFF", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RecordsTests",
      dependencies: ["Bytes", "HEVC", "ISOBMFF", "HEIF", "Files", "Records", "TestSupport"],
      swiftSettings: settings),
  ]
)
