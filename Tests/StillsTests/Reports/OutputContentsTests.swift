// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

@testable import ApusStills

struct OutputContentsTests {
  /// What each kind takes to be in an output. Whatever is not named is in none, unless the file itself is.
  private static let conditions: [(SourceHolding.Kind, @Sendable (OutputContents) -> Bool)] = [
    (.picture, { !$0.isPart }), (.fullSize, { !$0.isSmaller }),
    (.pictures, { $0.hasAllPictures }),
    (.alpha, { [.png, .webp, .heic].contains($0.format) }),
    (.highDynamicRange, { $0.keepsHDR && ![.ppm, .webp].contains($0.format) }),
    (.gainMap, { $0.keepsHDR && [.jpeg, .heic].contains($0.format) }),
    (.depth, { $0.format == .heic }), (.mattes, { $0.format == .heic }),
    (.auxiliaryMetadata, { $0.format == .heic }), (.motionVideo, { $0.hasMotionVideo }),
    (.exif, { hasMetadata($0.format) }), (.xmp, { hasMetadata($0.format) }),
    (.profile, { hasMetadata($0.format) }), (.iptc, { [.jpeg, .heic].contains($0.format) }),
  ]

  private static func hasMetadata(_ format: OutputFormat) -> Bool {
    format != .ppm && format != .yuv
  }

  private static let outputs: [OutputContents] = OutputFormat.allCases.flatMap { format in
    (0..<64).map { bits in
      var output = OutputContents(format: format)
      output.hasAllPictures = bits & 1 != 0
      output.keepsHDR = bits & 2 != 0
      output.hasMotionVideo = bits & 4 != 0
      output.isCopy = bits & 8 != 0
      output.isSmaller = bits & 16 != 0
      output.isPart = bits & 32 != 0
      return output
    }
  }

  @Test
  func `it holds what its format and the options have room for, and a copy everything`() {
    for output in Self.outputs {
      for kind in SourceHolding.Kind.allCases {
        let condition = Self.conditions.first { $0.0 == kind }?.1 ?? { _ in false }
        #expect(output.hold(kind) == (output.isCopy || condition(output)), "\(kind) in \(output)")
      }
    }
  }

  @Test
  func `it believes the report and not the options once outputs are there`() {
    var options = ConvertOptions()
    options.live = .keep
    var report = PhotoReport(input: "a")
    report.outputs = [
      PhotoReport.Output(path: "a.jpg", role: .primary, width: 1, height: 1, bytes: 1)
    ]
    var output = OutputContents(format: .jpeg)
    output.hasMotionVideo = true
    output.correct(by: report)
    #expect(!output.hasMotionVideo && !output.isCopy)
    report.live = PhotoReport.Live(video: "a.mp4", bytes: 1, basis: .embedded, outcome: .kept)
    report.isCopied = true
    output.hasMotionVideo = true
    output.correct(by: report)
    #expect(output.hasMotionVideo && output.isCopy)
  }

  /// What a fixture has, and whether a HEIC holds that which is another fixture.
  @Test(
    arguments: [
      ("alpha.heic", "alpha.heic", ""), ("alpha.heic", "photo.heic", "alpha"),
      ("gain-map-tmap.heic", "photo.heic", "gain-map"),
      ("gain-map-tmap.heic", "gain-map-samsung.heic", "exif"),
      ("depth.heic", "photo.heic", "depth"), ("exif-xmp.heic", "exif-xmp.heic", ""),
      ("exif-xmp.heic", "alpha.heic", "exif xmp"),
      ("grid-icc.heic", "alpha.heic", "colour-profile"),
      ("photo.heic", "crashes", "picture exif xmp"),
      ("still-pq.heic", "alpha.heic", "high-dynamic-range"),
    ])
  func `it finds in an output what it holds, whatever was meant to be in it`(
    _ source: String, _ output: String, _ losses: String
  ) throws {
    let bytes: any ByteSource =
      output == "crashes" ? MemorySource([0xFF, 0xD8]) : try Fixture.source(output)
    let holdings = PhotoContents.holdings(ofOutput: try Fixture.source(source))
    var contents = OutputContents(format: .heic)
    #expect(contents.losses(of: holdings).isEmpty)
    contents.add(bytes, isOpaque: false)
    #expect(contents.losses(of: holdings).map(\.kind.rawValue).joined(separator: " ") == losses)
  }

  @Test
  func `it misses nothing that was to be left out, nor an alpha that says nothing`() throws {
    let holdings = [SourceHolding(.exif), SourceHolding(.iptc), SourceHolding(.alpha)]
    var contents = OutputContents(format: .heic)
    contents.strip = .all
    contents.add(try Fixture.source("still-96x72.heic"), isOpaque: true)
    #expect(contents.losses(of: holdings).isEmpty)
  }
}
