// SPDX-License-Identifier: MIT

import Testing

@testable import Stills

struct OutputContentsTests {
  /// What each kind takes to be in an output. Whatever is not named is in none, unless the file itself is.
  private static let conditions: [(SourceHolding.Kind, @Sendable (OutputContents) -> Bool)] = [
    (.picture, { !$0.isPart }), (.fullSize, { !$0.isSmaller }),
    (.pictures, { $0.hasAllPictures }),
    (.alpha, { [.png, .webp, .heic].contains($0.format) }),
    (.highDynamicRange, { $0.keepsHDR && ![.ppm, .webp].contains($0.format) }),
    (.gainMap, { $0.keepsHDR && $0.hasGainMap && [.jpeg, .heic].contains($0.format) }),
    (.depth, { $0.format == .heic }), (.mattes, { $0.format == .heic }),
    (.auxiliaryMetadata, { $0.format == .heic }), (.motionVideo, { $0.hasMotionVideo }),
  ]

  private static let outputs: [OutputContents] = OutputFormat.allCases.flatMap { format in
    (0..<128).map { bits in
      var output = OutputContents(format: format)
      output.hasAllPictures = bits & 1 != 0
      output.keepsHDR = bits & 2 != 0
      output.hasGainMap = bits & 4 != 0
      output.hasMotionVideo = bits & 8 != 0
      output.isCopy = bits & 16 != 0
      output.isSmaller = bits & 32 != 0
      output.isPart = bits & 64 != 0
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
    #expect(!output.hasGainMap && !output.hasMotionVideo && !output.isCopy)
    report.outputs[0].gainMap = PhotoReport.GainMap(
      width: 1, height: 1, bytes: 1, headroom: 2, origin: "tmap")
    report.live = PhotoReport.Live(video: "a.mp4", bytes: 1, basis: .embedded, outcome: .kept)
    report.isCopied = true
    output.hasGainMap = true
    output.hasMotionVideo = true
    output.correct(by: report)
    #expect(output.hasGainMap && output.hasMotionVideo && output.isCopy)
  }
}
