// SPDX-License-Identifier: MIT

import ApusIntra
import ApusMedia
import ApusX265
import HEVC
import TestSupport
import Testing

/// Pictures that x265 codes with options that change what an intra decoder does.
///
/// All have blocks of one size and no pool of threads: x265 crashes or waits for ever where encoders that differ in
/// that run side by side in a process. `EncoderProgramTests` have the other sizes, slices and wavefronts.
@Suite struct EncoderGridTests {
  @Test(arguments: EncoderRow.all)
  func `it decodes what x265 makes as two other decoders do`(_ row: EncoderRow) throws {
    var faults = ThreeDecoders.Faults()
    if row.chroma == .yuv444, row.options.contains("--scaling-list") {
      faults.libde265 = "factors of 32 × 32 blocks of Cb and Cr"
    }
    for source in row.sources {
      try ThreeDecoders.compare(
        row.picture(source), faults,
        "\(row.testDescription), \(source)")
    }
  }
}

/// Settings of x265 for one picture.
struct EncoderRow: CustomTestStringConvertible, Sendable {
  var chroma = Chroma.yuv420
  var depth = 8
  /// As on the command line.
  var options: String
  var width: Int
  var height: Int

  var sources = SourcePicture.allCases

  var testDescription: String { "\(chroma.name) \(depth) bit \(width)x\(height) \(options)" }

  func picture(_ source: SourcePicture) throws -> CodedPicture {
    let format = PictureFormat(width: width, height: height, chroma: chroma, bitDepth: depth)
    var settings = X265Settings.still(format, quantizer: 30)
    settings.parameters += [
      X265Settings.Parameter("pools", "none"), X265Settings.Parameter("wpp", "0"),
    ]
    let words = options.split(separator: " ").map(String.init)
    var index = 0
    while index < words.count {
      let hasValue = index + 1 < words.count && !words[index + 1].hasPrefix("--")
      settings.parameters.append(
        X265Settings.Parameter(String(words[index].dropFirst(2)), hasValue ? words[index + 1] : "1")
      )
      index += hasValue ? 2 : 1
    }
    let encoder = try X265Encoder(settings)
    let picture = source.make(format)
    var coded = try withExtendedLifetime(picture) {
      try unsafe encoder.encode(picture.view, time: 0)
    }
    coded += try encoder.finish()
    guard let sample = coded.first?.payload else {
      throw MediaError(.misuse, "x265 made nothing of \(options)")
    }
    let record = try RecordBuilder().record(of: encoder.headers).record
    return CodedPicture(codec: .hevc, configuration: try record.bytes(), samples: [sample])
  }

  private static let luma = [
    "--qp 10",
    "--qp 30",
    "--qp 45",
    "--qp 51",
    "--qp 3",
    "--qp 0 --tskip",
    "--crf 28 --aq-mode 2 --qg-size 8",
    "--crf 20 --aq-mode 1 --qg-size 64",
    "--qp 20 --tu-intra-depth 4",
    "--qp 20 --tskip",
    "--qp 12 --tskip --tu-intra-depth 3 --no-signhide",
    "--lossless",
    "--qp 22 --cu-lossless --rd 5",
    "--qp 24 --scaling-list default",
    "--qp 35 --scaling-list default --tskip",
    "--qp 30 --no-deblock",
    "--qp 30 --deblock 3:-3",
    "--qp 36 --deblock -6:6",
    "--qp 40 --deblock 6:6",
    "--qp 30 --no-sao",
    "--qp 40 --sao-non-deblock",
    "--qp 30 --no-deblock --no-sao",
    "--qp 30 --no-strong-intra-smoothing",
    "--qp 27 --cbqpoffs 6 --crqpoffs -5",
    "--qp 44 --cbqpoffs 12 --crqpoffs 12",
    "--qp 8 --cbqpoffs -12 --crqpoffs -12",
    "--qp 20 --rdoq-level 2 --rd 6",
    "--qp 26 --constrained-intra",
    "--qp 25 --amp --rect",
    "--qp 31 --fast-intra --rd 2",
    "--qp 24 --b-intra --no-early-skip",
    "--qp 29 --psy-rd 4 --psy-rdoq 20",
    "--qp 26 --nr-intra 1000",
    "--crf 32 --rskip 0 --limit-tu 0",
    "--qp 17 --hash 1",
    "--qp 17 --hash 2",
    "--qp 17 --hash 3",
  ]

  private static let others = [
    "--qp 30",
    "--qp 8 --tskip",
    "--crf 24 --aq-mode 2 --qg-size 8",
    "--lossless",
    "--qp 35",
    "--qp 22 --cu-lossless --rd 5 --hash 3",
    "--qp 24 --scaling-list default --cbqpoffs 5 --crqpoffs -7 --hash 2",
  ]

  /// All sizes are met with all kinds of options; those of 4:2:0 are even.
  private static let sizes = [(136, 104), (98, 130), (66, 70), (200, 72), (74, 58), (130, 114)]

  static let all: [EncoderRow] = {
    var rows = luma.enumerated().map { index, options in
      EncoderRow(
        options: options, width: sizes[index % sizes.count].0,
        height: sizes[index % sizes.count].1)
    }
    let forms: [(Chroma, Int)] = [
      (.monochrome, 8), (.yuv422, 8), (.yuv444, 8), (.yuv420, 10), (.yuv422, 10), (.yuv444, 10),
      (.monochrome, 10), (.yuv420, 12), (.yuv422, 12), (.yuv444, 12), (.monochrome, 12),
    ]
    for (number, form) in forms.enumerated() {
      for (index, options) in others.enumerated() {
        let size = sizes[(number + index) % sizes.count]
        let isOdd = form.0 == .yuv444 || form.0 == .monochrome
        rows.append(
          EncoderRow(
            chroma: form.0, depth: form.1, options: options, width: size.0 + (isOdd ? 1 : 0),
            height: size.1 + (isOdd ? 1 : 0),
            sources: [SourcePicture.allCases[(number + index) % 3]]))
      }
    }
    return rows
  }()
}
