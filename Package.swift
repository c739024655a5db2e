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

/// The room that computes most of what the tests check, which is quick in their builds, too: `Scripts/setup` asks for that.
let quick =
  settings
  + (Context.environment["APUS_QUICK_TESTS"] == nil
    ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))])

let package = Package(
  name: "Apus",
  products: [
    .executable(name: "apus", targets: ["apus"]),
    // What the public declarations of one of them mention is a product, too.
    .library(name: "Bytes", targets: ["Bytes"]),
    .library(name: "Media", targets: ["Media"]),
    .library(name: "Threads", targets: ["Threads"]),
    .library(name: "ISOBMFF", targets: ["ISOBMFF"]),
    .library(name: "HEVC", targets: ["HEVC"]),
    .library(name: "AVC", targets: ["AVC"]),
    .library(name: "HEIF", targets: ["HEIF"]),
    .library(name: "FLV", targets: ["FLV"]),
    .library(name: "RTMP", targets: ["RTMP"]),
    .library(name: "HLS", targets: ["HLS"]),
    .library(name: "Records", targets: ["Records"]),
    .library(name: "Facts", targets: ["Facts"]),
    .library(name: "Intra", targets: ["Intra"]),
    .library(name: "Metadata", targets: ["Metadata"]),
    .library(name: "Files", targets: ["Files"]),
    .library(name: "Stills", targets: ["Stills"]),
    .library(name: "Flow", targets: ["Flow"]),
    .library(name: "Containers", targets: ["Containers"]),
    .library(name: "Presentations", targets: ["Presentations"]),
    .library(name: "Live", targets: ["Live"]),
    .library(name: "Transport", targets: ["Transport"]),
    .library(name: "ApusTLS", targets: ["ApusTLS"]),
    .library(name: "Transcode", targets: ["Transcode"]),
    .library(name: "FFmpeg", targets: ["FFmpeg"]),
    // For programs in other languages; Scripts/package links it as libapus.so.0.
    .library(name: "apus-c", type: .dynamic, targets: ["LibApus"]),
    .library(name: "CApus", targets: ["CApus"]),
  ],
  targets: [
    .target(name: "Bytes", swiftSettings: settings),
    .target(name: "ApusJSON", swiftSettings: settings),
    .target(name: "Media", dependencies: ["Bytes"], swiftSettings: settings),
    .target(name: "Threads", swiftSettings: settings),
    .target(name: "ApusLoader", swiftSettings: settings),
    .target(name: "AVC", dependencies: ["Bytes"], swiftSettings: settings),
    .target(name: "HEVC", dependencies: ["Bytes"], swiftSettings: settings),
    .target(
      name: "ISOBMFF", dependencies: ["AVC", "Bytes", "Media", "HEVC"], swiftSettings: settings),
    .target(
      name: "HEIF", dependencies: ["AVC", "Bytes", "Media", "HEVC", "ISOBMFF"],
      swiftSettings: settings),
    .target(
      name: "Records",
      dependencies: ["AVC", "Bytes", "Media", "HEVC", "ISOBMFF", "HEIF", "FLV"],
      swiftSettings: settings),
    .target(
      name: "Facts",
      dependencies: [
        "AVC", "Bytes", "Media", "HEVC", "ISOBMFF", "HEIF", "Metadata", "Records", "FLV",
        "Flow",
      ], swiftSettings: settings),
    .target(
      name: "Report",
      dependencies: [
        "AVC", "Bytes", "CMath", "FLV", "Facts", "Flow", "HEIF", "HEVC", "ISOBMFF", "Media",
        "Records",
      ],
      resources: [
        .embedInCode("Resources/report.js"), .embedInCode("Resources/report.css"),
        .embedInCode("Resources/clauses.tsv"),
      ], swiftSettings: settings),
    .target(name: "FLV", dependencies: ["AVC", "Bytes", "Media", "HEVC"], swiftSettings: settings),
    .target(name: "RTMP", dependencies: ["Bytes", "Media", "FLV"], swiftSettings: settings),
    .target(name: "HLS", dependencies: ["Bytes", "Media"], swiftSettings: settings),
    .systemLibrary(name: "CMath"),
    .systemLibrary(name: "CFiles"),
    .target(name: "Files", dependencies: ["Bytes", "CFiles"], swiftSettings: settings),
    .target(name: "Metadata", dependencies: ["Bytes", "CMath", "Media"], swiftSettings: settings),
    .target(
      name: "Colour", dependencies: ["Bytes", "CMath", "CPixel", "Media"], swiftSettings: settings),
    // No pkgConfig where a library is opened on demand: its flags would link everything with it.
    .systemLibrary(
      name: "CFFmpeg", providers: [.apt(["libavcodec-dev", "libavfilter-dev", "libavformat-dev"])]),
    .systemLibrary(name: "CPages"),
    .systemLibrary(name: "CPixel"),
    .target(
      name: "Intra", dependencies: ["Bytes", "CPixel", "HEVC", "Media", "Threads"],
      swiftSettings: quick),
    .systemLibrary(name: "CDe265", providers: [.apt(["libde265-dev"])]),
    .systemLibrary(name: "CHEIF", providers: [.apt(["libheif-dev"])]),
    .systemLibrary(
      name: "CSPNG", pkgConfig: "spng", providers: [.apt(["libspng-dev"])]),
    .systemLibrary(name: "CSandbox"),
    .systemLibrary(name: "CSockets"),
    .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CTLS", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CX265", providers: [.apt(["libx265-dev"])]),
    .systemLibrary(name: "CWebP", providers: [.apt(["libwebp-dev"])]),
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "ApusTLS", dependencies: ["ApusLoader", "CTLS"], swiftSettings: settings),
    .target(
      name: "HTTP",
      dependencies: ["ApusLoader", "Bytes", "CMicroHTTPD", "Files", "Media", "Threads"],
      swiftSettings: settings),
    .target(
      name: "Transport",
      dependencies: ["Bytes", "CSockets", "Media", "FLV", "RTMP", "ApusTLS", "Threads"],
      swiftSettings: settings),
    .target(
      name: "FFmpeg", dependencies: ["ApusLoader", "AVC", "Bytes", "CFFmpeg", "Media"],
      swiftSettings: settings),
    .target(
      name: "De265", dependencies: ["ApusLoader", "Bytes", "CDe265", "HEVC", "Media"],
      swiftSettings: settings),
    .target(name: "X265", dependencies: ["ApusLoader", "CX265", "Media"], swiftSettings: settings),
    .target(
      name: "LibHEIF", dependencies: ["ApusLoader", "CHEIF", "Media"], swiftSettings: settings),
    .target(name: "ApusJPEG", dependencies: ["CJPEG", "Media"], swiftSettings: settings),
    .target(name: "ApusPNG", dependencies: ["CSPNG", "Media"], swiftSettings: settings),
    .target(
      name: "ApusWebP", dependencies: ["ApusLoader", "CWebP", "Media"], swiftSettings: settings),
    .target(
      name: "Stills",
      dependencies: [
        "Bytes", "CPixel", "Media", "HEVC", "ISOBMFF", "HEIF", "Files", "Metadata", "Colour",
        "FFmpeg", "De265", "Intra", "LibHEIF", "ApusJPEG", "ApusPNG", "ApusWebP",
        "Threads", "X265",
      ], swiftSettings: settings),
    .target(
      name: "Flow",
      dependencies: [
        "AVC", "Bytes", "FLV", "HEVC", "ISOBMFF", "Media",
      ], swiftSettings: settings),
    .target(
      name: "Containers",
      dependencies: [
        "AVC", "Bytes", "Media", "HEVC", "ISOBMFF", "FLV", "Files", "Flow",
      ], swiftSettings: settings),
    .target(
      name: "Foreign",
      dependencies: [
        "AVC", "Bytes", "Media", "HEVC", "ISOBMFF", "FLV", "FFmpeg", "Flow",
      ], swiftSettings: settings),
    .target(
      name: "Presentations",
      dependencies: [
        "AVC", "Bytes", "Media", "HEVC", "ISOBMFF", "HLS", "Records", "Files", "Flow", "Containers",
      ], swiftSettings: settings),
    .target(
      name: "Live",
      dependencies: [
        "AVC", "Bytes", "Media", "HEVC", "FLV", "RTMP", "Transport", "Files", "Flow", "Containers",
        "Presentations", "Threads",
      ], swiftSettings: settings),
    .target(
      name: "Transcode",
      dependencies: [
        "AVC", "Bytes", "Media", "HEVC", "ISOBMFF", "FLV", "HLS", "Files", "Colour", "FFmpeg",
        "De265", "X265", "Flow", "Containers", "Presentations",
      ], swiftSettings: settings),
    .target(
      name: "ApusCommand",
      dependencies: [
        "AVC", "Bytes", "CPages", "CSandbox", "Media", "HEVC", "ISOBMFF", "HEIF", "FLV", "HLS",
        "RTMP", "ApusTLS", "HTTP",
        "Transport", "Records", "Report", "Facts", "Files", "FFmpeg", "LibHEIF", "Stills", "Flow",
        "Containers",
        "Foreign",
        "Presentations",
        "Live", "Transcode", "ApusJSON", "Threads",
      ],
      exclude: ["Schemas", "apus.docc"], swiftSettings: settings),
    .executableTarget(name: "apus", dependencies: ["ApusCommand"], swiftSettings: settings),
    .systemLibrary(name: "CApus"),
    .target(
      name: "LibApus",
      dependencies: [
        "ApusCommand", "ApusJSON", "ApusPNG", "Bytes", "CApus", "Files", "HEIF", "Media", "Stills",
      ],
      swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["Bytes", "Media", "HEVC", "ISOBMFF", "HEIF", "Files"],
      path: "Tests/TestSupport", swiftSettings: settings),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "Bytes", "Media", "HEVC", "ISOBMFF", "FLV", "Facts", "Records", "Files", "Colour", "RTMP",
        "Transport", "FFmpeg", "Flow", "Containers", "Foreign", "Presentations", "Live",
        "Transcode", "De265", "HEIF", "Intra", "Threads", "X265",
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
    .testTarget(
      name: "AVCTests", dependencies: ["AVC", "Bytes", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "JSONTests", dependencies: ["ApusJSON"], swiftSettings: settings),
    .testTarget(
      name: "MediaTests", dependencies: ["Media", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: settings),
    .testTarget(
      name: "MetadataTests", dependencies: ["Bytes", "Media", "Metadata", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ColourTests", dependencies: ["Bytes", "CPixel", "Media", "Colour", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "FFmpegTests",
      dependencies: [
        "Bytes", "HEVC", "Media", "FFmpeg", "Flow", "Containers", "Foreign", "Presentations",
        "Live", "Transcode", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "IntraTests",
      dependencies: [
        "Bytes", "HEVC", "Media", "FFmpeg", "De265", "Intra", "Threads", "X265", "TestSupport",
      ], exclude: ["COVERAGE.md"], swiftSettings: quick),
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
      name: "JPEGTests", dependencies: ["Media", "ApusJPEG", "TestSupport"], swiftSettings: settings
    ),
    .testTarget(
      name: "PNGTests", dependencies: ["Media", "ApusPNG", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "StillsTests",
      dependencies: [
        "Bytes", "De265", "FFmpeg", "Files", "Intra", "Media", "ISOBMFF", "HEVC", "HEIF",
        "ApusJPEG", "Stills", "Threads", "X265", "TestSupport",
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
      dependencies: [
        "Bytes", "Media", "FLV", "RTMP", "ApusTLS", "Transport", "Threads", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "VideoTests",
      dependencies: [
        "Bytes", "Media", "HEVC", "ISOBMFF", "FLV", "HLS", "RTMP", "ApusTLS", "Transport", "Files",
        "Flow", "Containers", "Foreign", "Presentations", "Live", "Transcode", "FFmpeg",
        "TestSupport", "Threads",
      ], swiftSettings: settings),
    .testTarget(
      name: "HEIFTests",
      dependencies: ["AVC", "Bytes", "Media", "HEVC", "ISOBMFF", "HEIF", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ApusTests",
      dependencies: [
        "ApusCommand", "Bytes", "Facts", "Media", "ISOBMFF", "HEIF", "FLV", "RTMP", "Transport",
        "Flow",
        "Containers", "Foreign", "Presentations", "Live", "LibHEIF", "Transcode", "Files",
        "Records", "Stills", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "HLSTests", dependencies: ["Bytes", "Media", "HLS"], swiftSettings: settings),
    .testTarget(
      name: "ISOBMFFTests", dependencies: ["AVC", "Bytes", "Media", "ISOBMFF", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ReportTests",
      dependencies: ["Bytes", "Facts", "Media", "Report", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RecordsTests",
      dependencies: [
        "AVC", "Bytes", "HEVC", "ISOBMFF", "HEIF", "Facts", "Files", "Records", "TestSupport",
      ],
      swiftSettings: settings),
  ]
)

/// The tests that are built: all, or those of the targets that `APUS_TESTS` names, for which nothing else is compiled.
if let names = Context.environment["APUS_TESTS"] {
  let wanted = names.split(separator: ",").map(String.init)
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
