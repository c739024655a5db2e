// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

var settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableExperimentalFeature("Lifetimes"),
  .strictMemorySafety(),
]
// Swift 6.2 considers fewer expressions unsafe, and warns where one is marked for 6.3.
#if compiler(>=6.3)
  settings.append(.treatAllWarnings(as: .error))
#endif

/// Whether this is a developer's build, for which `Scripts/setup` sets the variable: a debug build in which the rooms that
/// compute are as fast as in a release. Where Apus is a dependency, the package manager refuses such flags.
let isDevelopers = Context.environment["APUS_DEVELOPERS_BUILD"] != nil
let quick =
  settings
  + (isDevelopers
    ? [
      .unsafeFlags(
        ["-O", "-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug))
    ] : [])
let quickC: [CSetting] =
  isDevelopers ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : []

let package = Package(
  name: "Apus",
  // What the parsers need of Apple's systems: `Mutex` and 128-bit integers. The other modules need Linux.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "apus", targets: ["apus"]),
    // What the public declarations of one of them mention is a product, too.
    .library(name: "ApusBytes", targets: ["ApusBytes"]),
    .library(name: "ApusMedia", targets: ["ApusMedia"]),
    .library(name: "ApusFoundation", targets: ["ApusFoundation"]),
    .library(name: "ISOBMFF", targets: ["ISOBMFF"]),
    .library(name: "HEVC", targets: ["HEVC"]),
    .library(name: "AVC", targets: ["AVC"]),
    .library(name: "HEIF", targets: ["HEIF"]),
    .library(name: "FLV", targets: ["FLV"]),
    .library(name: "RTMP", targets: ["RTMP"]),
    .library(name: "HLS", targets: ["HLS"]),
    .library(name: "ApusRecords", targets: ["ApusRecords"]),
    .library(name: "ApusFacts", targets: ["ApusFacts"]),
    .library(name: "ApusIntra", targets: ["ApusIntra"]),
    .library(name: "ApusMetadata", targets: ["ApusMetadata"]),
    .library(name: "ApusFiles", targets: ["ApusFiles"]),
    .library(name: "ApusStills", targets: ["ApusStills"]),
    .library(name: "ApusSamples", targets: ["ApusSamples"]),
    .library(name: "ApusContainers", targets: ["ApusContainers"]),
    .library(name: "ApusForeign", targets: ["ApusForeign"]),
    .library(name: "ApusPresentations", targets: ["ApusPresentations"]),
    .library(name: "ApusLive", targets: ["ApusLive"]),
    .library(name: "ApusTransport", targets: ["ApusTransport"]),
    .library(name: "ApusTLS", targets: ["ApusTLS"]),
    .library(name: "ApusTranscode", targets: ["ApusTranscode"]),
    .library(name: "ApusFFmpeg", targets: ["ApusFFmpeg"]),
    // For programs in other languages; Scripts/package links it as libapus.so.0.
    .library(name: "apus-c", type: .dynamic, targets: ["LibApus"]),
    .library(name: "CApus", targets: ["CApus"]),
  ],
  targets: [
    .target(name: "ApusBytes", swiftSettings: settings),
    .target(name: "ApusJSON", dependencies: ["ApusBytes"], swiftSettings: settings),
    .target(name: "ApusMedia", dependencies: ["ApusBytes"], swiftSettings: settings),
    .target(name: "ApusThreads", swiftSettings: settings),
    .target(name: "ApusLoader", swiftSettings: settings),
    .target(name: "AVC", dependencies: ["ApusBytes"], swiftSettings: settings),
    .target(name: "ApusRaster", dependencies: ["ApusBytes"], swiftSettings: settings),
    .target(name: "HEVC", dependencies: ["ApusBytes"], swiftSettings: settings),
    .target(
      name: "ISOBMFF", dependencies: ["AVC", "ApusBytes", "ApusMedia", "HEVC"],
      swiftSettings: settings),
    .target(
      name: "HEIF",
      dependencies: ["AVC", "ApusBytes", "ApusMedia", "HEVC", "ISOBMFF", "ApusRaster"],
      swiftSettings: settings),
    .target(
      name: "ApusRecords",
      dependencies: ["AVC", "ApusBytes", "ApusMedia", "HEVC", "ISOBMFF", "HEIF", "FLV"],
      swiftSettings: settings),
    .target(
      name: "ApusFacts",
      dependencies: [
        "AVC", "ApusBytes", "ApusJSON", "ApusMedia", "HEVC", "ISOBMFF", "HEIF", "ApusMetadata",
        "ApusRecords", "FLV", "ApusSamples", "ApusRaster",
      ], swiftSettings: settings),
    .target(
      name: "ApusReport",
      dependencies: [
        "AVC", "ApusBytes", "CApusMath", "FLV", "ApusFacts", "ApusSamples", "HEIF", "HEVC",
        "ISOBMFF", "ApusMedia",
        "ApusRecords",
      ],
      resources: [
        .embedInCode("Resources/report.js"), .embedInCode("Resources/report.css"),
        .embedInCode("Resources/clauses.tsv"),
      ], swiftSettings: settings),
    .target(
      name: "FLV", dependencies: ["AVC", "ApusBytes", "ApusMedia", "HEVC"], swiftSettings: settings),
    .target(
      name: "RTMP", dependencies: ["ApusBytes", "ApusMedia", "FLV"], swiftSettings: settings),
    .target(name: "HLS", dependencies: ["ApusBytes", "ApusMedia"], swiftSettings: settings),
    .systemLibrary(name: "CApusMath"),
    .systemLibrary(name: "CApusFiles"),
    .target(name: "ApusFiles", dependencies: ["ApusBytes", "CApusFiles"], swiftSettings: settings),
    .target(
      name: "ApusFoundation", dependencies: ["ApusBytes", "ApusFiles", "ApusMedia"],
      swiftSettings: settings),
    .target(
      name: "ApusMetadata",
      dependencies: ["ApusBytes", "ApusJSON", "CApusMath", "ApusMedia", "ApusRaster"],
      swiftSettings: settings),
    .target(
      name: "ApusColour",
      dependencies: ["ApusBytes", "CApusMath", "CApusPixel", "ApusMedia", "ApusRaster"],
      swiftSettings: quick),
    // No pkgConfig where a library is opened on demand: its flags would link everything with it.
    .systemLibrary(
      name: "CApusFFmpeg",
      providers: [.apt(["libavcodec-dev", "libavfilter-dev", "libavformat-dev"])]),
    .systemLibrary(name: "CApusPages"),
    .systemLibrary(name: "CApusPixel"),
    .target(
      name: "ApusIntra",
      dependencies: ["ApusBytes", "CApusPixel", "HEVC", "ApusMedia", "ApusThreads"],
      swiftSettings: quick),
    .systemLibrary(name: "CApusDe265", providers: [.apt(["libde265-dev"])]),
    .systemLibrary(name: "CApusHEIF", providers: [.apt(["libheif-dev"])]),
    .systemLibrary(
      name: "CApusSPNG", pkgConfig: "spng", providers: [.apt(["libspng-dev"])]),
    .systemLibrary(name: "CApusSandbox"),
    .systemLibrary(name: "CApusSockets"),
    .systemLibrary(name: "CApusMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CApusTLS", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CApusX265", providers: [.apt(["libx265-dev"])]),
    .systemLibrary(name: "CApusWebP", providers: [.apt(["libwebp-dev"])]),
    .target(name: "CApusJPEG", cSettings: quickC, linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "ApusTLS", dependencies: ["ApusLoader", "CApusTLS"], swiftSettings: settings),
    .target(
      name: "ApusHTTP",
      dependencies: [
        "ApusLoader", "ApusBytes", "CApusMicroHTTPD", "ApusFiles", "ApusMedia", "ApusThreads",
      ],
      swiftSettings: settings),
    .target(
      name: "ApusTransport",
      dependencies: [
        "ApusBytes", "CApusSockets", "ApusMedia", "FLV", "RTMP", "ApusTLS", "ApusThreads",
      ],
      swiftSettings: settings),
    .target(
      name: "ApusFFmpeg",
      dependencies: ["ApusLoader", "AVC", "ApusBytes", "CApusFFmpeg", "ApusMedia", "ApusThreads"],
      swiftSettings: settings),
    .target(
      name: "ApusDe265",
      dependencies: ["ApusLoader", "ApusBytes", "CApusDe265", "HEVC", "ApusMedia"],
      swiftSettings: settings),
    .target(
      name: "ApusX265", dependencies: ["ApusLoader", "CApusX265", "ApusMedia"],
      swiftSettings: settings),
    .target(
      name: "ApusLibHEIF", dependencies: ["ApusLoader", "CApusHEIF", "ApusMedia"],
      swiftSettings: settings),
    .target(
      name: "ApusJPEG", dependencies: ["ApusBytes", "CApusJPEG", "ApusMedia", "ApusRaster"],
      swiftSettings: quick),
    .target(
      name: "ApusPNG", dependencies: ["ApusBytes", "CApusSPNG", "ApusMedia", "ApusRaster"],
      swiftSettings: settings),
    .target(
      name: "ApusWebP",
      dependencies: ["ApusLoader", "ApusBytes", "CApusWebP", "ApusMedia", "ApusRaster"],
      swiftSettings: settings),
    .target(
      name: "ApusStills",
      dependencies: [
        "ApusBytes", "CApusPixel", "ApusMedia", "HEVC", "ISOBMFF", "HEIF", "ApusFiles",
        "ApusMetadata", "ApusColour",
        "ApusFFmpeg", "ApusDe265", "ApusIntra", "ApusLibHEIF", "ApusJPEG", "ApusPNG", "ApusWebP",
        "ApusThreads", "ApusX265", "ApusRaster",
      ], swiftSettings: quick),
    .target(
      name: "ApusSamples",
      dependencies: [
        "AVC", "ApusBytes", "FLV", "HEVC", "ISOBMFF", "ApusMedia",
      ], swiftSettings: settings),
    .target(
      name: "ApusContainers",
      dependencies: [
        "AVC", "ApusBytes", "ApusMedia", "HEVC", "ISOBMFF", "FLV", "ApusFiles", "ApusSamples",
        "ApusThreads",
      ], swiftSettings: settings),
    .target(
      name: "ApusForeign",
      dependencies: [
        "AVC", "ApusBytes", "ApusMedia", "HEVC", "ISOBMFF", "FLV", "ApusFFmpeg", "ApusFiles",
        "ApusSamples",
      ], swiftSettings: settings),
    .target(
      name: "ApusPresentations",
      dependencies: [
        "AVC", "ApusBytes", "ApusMedia", "HEVC", "ISOBMFF", "HLS", "ApusRecords", "ApusFiles",
        "ApusSamples", "ApusContainers",
      ], swiftSettings: settings),
    .target(
      name: "ApusLive",
      dependencies: [
        "AVC", "ApusBytes", "ApusMedia", "HEVC", "FLV", "RTMP", "ApusTransport", "ApusFiles",
        "ApusSamples", "ApusContainers",
        "ApusPresentations", "ApusThreads",
      ], swiftSettings: settings),
    .target(
      name: "ApusTranscode",
      dependencies: [
        "AVC", "ApusBytes", "ApusMedia", "HEVC", "ISOBMFF", "FLV", "HLS", "ApusFiles", "ApusColour",
        "ApusFFmpeg",
        "ApusDe265", "ApusX265", "ApusSamples", "ApusContainers", "ApusPresentations",
        "ApusThreads",
      ], swiftSettings: settings),
    .target(
      name: "ApusCommand",
      dependencies: [
        "AVC", "ApusBytes", "CApusPages", "CApusSandbox", "ApusMedia", "HEVC", "ISOBMFF", "HEIF",
        "FLV", "HLS",
        "RTMP", "ApusTLS", "ApusHTTP",
        "ApusTransport", "ApusRecords", "ApusReport", "ApusFacts", "ApusFiles", "ApusFFmpeg",
        "ApusLibHEIF", "ApusMetadata", "ApusStills", "ApusSamples",
        "ApusContainers",
        "ApusForeign",
        "ApusPresentations",
        "ApusLive", "ApusTranscode", "ApusJSON", "ApusThreads",
      ],
      exclude: ["Schemas", "apus.docc"], swiftSettings: settings),
    .executableTarget(name: "apus", dependencies: ["ApusCommand"], swiftSettings: settings),
    .systemLibrary(name: "CApus"),
    .target(
      name: "LibApus",
      dependencies: [
        "ApusCommand", "ApusJSON", "ApusBytes", "CApus", "ApusFiles", "HEIF", "ISOBMFF",
        "ApusMedia", "ApusStills",
      ],
      swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: ["ApusBytes", "ApusMedia", "HEVC", "ISOBMFF", "HEIF", "ApusFiles"],
      path: "Tests/TestSupport", swiftSettings: settings),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "ApusBytes", "ApusMedia", "HEVC", "ISOBMFF", "FLV", "ApusFacts", "ApusRecords", "ApusFiles",
        "ApusColour", "RTMP",
        "ApusTransport", "ApusFFmpeg", "ApusSamples", "ApusContainers", "ApusForeign",
        "ApusPresentations", "ApusLive",
        "ApusTranscode", "ApusDe265", "HEIF", "ApusIntra", "ApusThreads", "ApusX265",
      ],
      path: "Tests/Bench",
      swiftSettings: settings),
    .executableTarget(
      name: "TileDamage",
      dependencies: [
        "ApusBytes", "ApusMedia", "ISOBMFF", "HEIF", "ApusFiles", "ApusIntra", "ApusFFmpeg",
        "ApusDe265",
      ],
      path: "Tests/TileDamage", swiftSettings: settings),
    .executableTarget(
      name: "Segments", dependencies: ["ApusBytes", "ApusMetadata", "ApusFiles"],
      path: "Tests/Segments",
      swiftSettings: settings),
    .target(
      name: "SampleSupport",
      dependencies: [
        "ApusBytes", "ApusContainers", "ApusMedia", "ApusSamples", "FLV", "TestSupport",
      ],
      path: "Tests/SampleSupport", swiftSettings: settings),
    .testTarget(
      name: "AVCTests", dependencies: ["AVC", "ApusBytes", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ApusTests",
      dependencies: [
        "ApusBytes", "ApusCommand", "ApusFacts", "ApusFiles", "ApusForeign", "ApusHTTP", "ApusJSON",
        "ApusLibHEIF", "ApusLive", "ApusMedia", "ApusPresentations", "ApusRecords", "ApusStills",
        "ApusThreads", "ApusTranscode", "ApusTransport", "HEIF", "ISOBMFF", "RTMP", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "BytesTests", dependencies: ["ApusBytes", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ColourTests", dependencies: ["ApusColour", "ApusMedia", "CApusPixel", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ContainersTests",
      dependencies: [
        "ApusBytes", "ApusContainers", "ApusFiles", "ApusMedia", "ApusSamples", "FLV", "HEVC",
        "ISOBMFF", "SampleSupport", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "De265Tests", dependencies: ["ApusDe265", "ApusMedia", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "FFmpegTests",
      dependencies: [
        "ApusBytes", "ApusContainers", "ApusFFmpeg", "ApusMedia", "ApusSamples", "HEVC",
        "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "FLVTests",
      dependencies: ["ApusBytes", "ApusFiles", "ApusMedia", "FLV", "HEVC", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "FilesTests", dependencies: ["ApusBytes", "ApusFiles", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ForeignTests",
      dependencies: [
        "ApusBytes", "ApusContainers", "ApusForeign", "ApusLive", "ApusMedia", "ApusSamples",
        "HEVC", "ISOBMFF", "SampleSupport", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "FoundationTests",
      dependencies: ["ApusBytes", "ApusFiles", "ApusFoundation", "ApusMedia"],
      swiftSettings: settings),
    .testTarget(
      name: "HEIFTests",
      dependencies: ["AVC", "ApusBytes", "ApusMedia", "HEIF", "HEVC", "ISOBMFF", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "HEVCTests", dependencies: ["ApusBytes", "HEVC", "TestSupport"], swiftSettings: settings
    ),
    .testTarget(
      name: "HLSTests", dependencies: ["ApusBytes", "ApusMedia", "HLS"], swiftSettings: settings),
    .testTarget(
      name: "HTTPTests",
      dependencies: [
        "ApusBytes", "ApusFiles", "ApusHTTP", "ApusJSON", "ApusMedia", "ApusThreads", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "ISOBMFFTests", dependencies: ["ApusBytes", "ApusMedia", "ISOBMFF", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "IntraTests",
      dependencies: [
        "ApusBytes", "ApusDe265", "ApusFFmpeg", "ApusIntra", "ApusMedia", "ApusThreads", "ApusX265",
        "CApusPixel", "HEVC", "TestSupport",
      ], exclude: ["COVERAGE.md"], swiftSettings: quick),
    .testTarget(
      name: "JPEGTests", dependencies: ["ApusJPEG", "ApusMedia", "TestSupport"],
      swiftSettings: settings),
    .testTarget(name: "JSONTests", dependencies: ["ApusJSON"], swiftSettings: settings),
    .testTarget(
      name: "LibHEIFTests", dependencies: ["ApusLibHEIF", "ApusMedia", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "LiveTests",
      dependencies: [
        "ApusBytes", "ApusContainers", "ApusFiles", "ApusLive", "ApusMedia", "ApusPresentations",
        "ApusSamples", "ApusThreads", "ApusTransport", "FLV", "HEVC", "HLS", "RTMP",
        "SampleSupport", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "MediaTests", dependencies: ["ApusBytes", "ApusMedia", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "MetadataTests",
      dependencies: ["ApusBytes", "ApusMedia", "ApusMetadata", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PNGTests", dependencies: ["ApusMedia", "ApusPNG", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PresentationsTests",
      dependencies: ["ApusBytes", "ApusMedia", "ApusPresentations", "ApusSamples", "HEVC", "HLS"],
      swiftSettings: settings),
    .testTarget(
      name: "RTMPTests", dependencies: ["ApusBytes", "FLV", "RTMP", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RecordsTests",
      dependencies: [
        "AVC", "ApusBytes", "ApusFacts", "ApusFiles", "ApusMedia", "ApusRecords", "HEVC", "ISOBMFF",
        "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "ReportTests",
      dependencies: ["ApusBytes", "ApusFacts", "ApusMedia", "ApusReport", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "SamplesTests", dependencies: ["ApusBytes", "ApusMedia", "ApusSamples"],
      swiftSettings: settings),
    .testTarget(
      name: "StillsTests",
      dependencies: [
        "ApusBytes", "ApusColour", "ApusDe265", "ApusFFmpeg", "ApusFiles", "ApusIntra", "ApusJPEG",
        "ApusMedia", "ApusMetadata", "ApusStills", "ApusThreads", "ApusX265", "HEIF", "HEVC",
        "ISOBMFF", "ApusRaster", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(name: "ThreadsTests", dependencies: ["ApusThreads"], swiftSettings: settings),
    .testTarget(
      name: "TranscodeTests",
      dependencies: [
        "ApusBytes", "ApusContainers", "ApusFFmpeg", "ApusFiles", "ApusMedia", "ApusSamples",
        "ApusThreads", "ApusTranscode", "HEVC", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "TransportTests",
      dependencies: [
        "ApusBytes", "ApusTLS", "ApusThreads", "ApusTransport", "FLV", "RTMP", "TestSupport",
      ], swiftSettings: settings),
    .testTarget(
      name: "X265Tests",
      dependencies: ["ApusBytes", "ApusFFmpeg", "ApusMedia", "ApusX265", "HEVC", "TestSupport"],
      swiftSettings: settings),
  ]
)

// Swift 6.2 cannot hold functions for C against the header that declares them.
#if compiler(<6.3)
  package.products.removeAll { $0.name == "apus-c" }
  package.targets.removeAll { $0.name == "LibApus" }
#endif

// A developer's build stops at an expression whose type takes longer to find. That of ApusReport's resources is generated.
if isDevelopers {
  for target in package.targets where target.type == .regular && target.name != "ApusReport" {
    target.swiftSettings?.append(
      .unsafeFlags(["-Xfrontend", "-warn-long-expression-type-checking=200"]))
  }
}

/// The tests that are built: all, or those of the targets that `APUS_TESTS` names, for which nothing else is compiled.
if let names = Context.environment["APUS_TESTS"] {
  let wanted = names.split(separator: ",").map(String.init)
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
