// SPDX-License-Identifier: MIT

import ApusBytes
import ApusIntra
import ApusMedia
import HEVC
import TestSupport
import Testing

/// Pictures of the command `x265`, a process for each: what its library does not bear beside other encoders, other
/// sizes of coding tree blocks, slices and wavefronts.
@Suite(.enabled(if: isInstalled("x265"))) struct EncoderProgramTests {
  @Test(arguments: ProgramRow.all)
  func `it decodes what the command makes as two other decoders do`(_ row: ProgramRow) throws {
    for source in row.sources {
      try ThreeDecoders.compare(
        row.picture(source), row.faults, "\(row.testDescription), \(source)")
    }
  }
}

/// Options of the command for one picture.
struct ProgramRow: CustomTestStringConvertible, Sendable {
  var chroma = Chroma.yuv420
  var depth = 8
  var options: String
  var width = 200
  var height = 170
  var sources = SourcePicture.allCases

  var testDescription: String { "\(chroma.name) \(depth) bit \(width)x\(height) \(options)" }

  var faults: ThreeDecoders.Faults {
    guard chroma == .yuv420 else { return ThreeDecoders.Faults() }
    var faults = ThreeDecoders.Faults()
    if options.contains("--ctu 16") { faults.libavcodec = ThreeDecoders.Faults.corners.libavcodec }
    if options.contains("--slices") { faults.libde265 = ThreeDecoders.Faults.chromaAcross.libde265 }
    return faults
  }

  func picture(_ source: SourcePicture) throws -> CodedPicture {
    let format = PictureFormat(width: width, height: height, chroma: chroma, bitDepth: depth)
    let folder = try TestFolder()
    try folder.write(Self.samples(of: source.make(format)), to: "picture.yuv")
    let forms: [Chroma: String] = [
      .monochrome: "i400", .yuv420: "i420", .yuv422: "i422", .yuv444: "i444",
    ]
    // Without threads it crashes at slices; one is enough.
    try folder.run(
      """
      timeout -k 5 60 x265 --input picture.yuv --input-res \(width)x\(height) --fps 25 --frames 1 \
      --input-csp \(forms[chroma] ?? "i420") --input-depth \(depth) -D \(depth) --keyint 1 \
      --no-info --log-level none --frame-threads 1 --pools 1 \(options) -o picture.265 2>/dev/null
      """)
    let units = AnnexB.nalUnits(in: try folder.read("picture.265"))
    let isSlice = { (unit: [UInt8]) in NALUnitHeader(of: unit)?.nalUnitType.isVCL == true }
    let record = try RecordBuilder().record(of: units.filter { !isSlice($0) }).record
    var sample: [UInt8] = []
    for unit in units where isSlice(unit) {
      let count = UInt32(unit.count)
      sample += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + unit
    }
    return CodedPicture(codec: .hevc, configuration: try record.bytes(), samples: [sample])
  }

  private static func samples(of picture: Picture) -> [UInt8] {
    let format = picture.format
    var bytes: [UInt8] = []
    for plane in 0..<format.planeCount {
      let width = format.width(ofPlane: plane) * format.bytesPerSample
      for y in 0..<format.height(ofPlane: plane) {
        let row = unsafe UnsafeRawBufferPointer(
          start: picture.plane(plane) + y * picture.strides[plane], count: width)
        unsafe bytes += row
      }
    }
    return bytes
  }

  private static let luma = [
    "--crf 24 --aq-mode 3 --qg-size 16 --ctu 32",
    "--crf 18 --aq-mode 2 --aq-strength 3 --ctu 16",
    "--qp 28 --ctu 16 --max-tu-size 16",
    "--qp 28 --ctu 64 --min-cu-size 16",
    "--qp 28 --ctu 32 --min-cu-size 32",
    "--qp 22 --ctu 32 --max-tu-size 8",
    "--qp 28 --ctu 64 --max-tu-size 4",
    "--qp 33 --tskip --ctu 16",
    "--lossless --ctu 16",
    "--lossless --ctu 32 --max-tu-size 8",
    "--qp 34 --cu-lossless --rd 6 --ctu 16",
    "--qp 12 --scaling-list default --ctu 16",
    "--qp 38 --ctu 64 --wpp",
    "--qp 30 --wpp --ctu 32",
    "--qp 30 --wpp --ctu 16",
    "--qp 27 --slices 3 --ctu 16",
    "--qp 33 --slices 2 --ctu 16 --no-sao",
    "--qp 30 --slices 2 --ctu 32 --no-deblock",
    "--qp 30 --no-signhide --ctu 32 --qg-size 32 --aq-mode 1",
  ]

  static let all: [ProgramRow] = {
    var rows = luma.map { ProgramRow(options: $0) }
    let forms: [(Chroma, Int)] = [
      (.monochrome, 8), (.yuv422, 8), (.yuv444, 8), (.yuv420, 10), (.yuv422, 10), (.yuv444, 10),
      (.yuv420, 12), (.yuv422, 12), (.yuv444, 12),
    ]
    for (index, form) in forms.enumerated() {
      let options = ["--qp 35 --ctu 16 --slices 3", "--crf 20 --ctu 32 --wpp --tskip"]
      for (number, words) in options.enumerated() {
        rows.append(
          ProgramRow(
            chroma: form.0, depth: form.1, options: words,
            sources: [SourcePicture.allCases[(index + number) % 3]]))
      }
    }
    return rows
  }()
}
