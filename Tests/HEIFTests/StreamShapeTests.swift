// SPDX-License-Identifier: MIT

import AVC
import ApusBytes
import ApusMedia
import TestSupport
import Testing

@testable import HEIF

struct StreamShapeTests {
  private func text(_ shape: StreamShape?) -> String {
    guard let shape else { return "nothing" }
    let format = shape.format
    let form = "\(format.width)×\(format.height) \(format.chroma.name) \(format.bitDepth)"
    guard let colour = shape.colour else { return form }
    let range = colour.isFullRange ? "full" : "limited"
    return "\(form) \(colour.primaries)/\(colour.transfer)/\(colour.matrix) \(range)"
  }

  /// Sequence parameter sets that x264 wrote (`ffmpeg -f lavfi -i testsrc=s=… -pix_fmt … -c:v libx264`),
  /// and what ffprobe says of them.
  @Test(arguments: [
    ("677a000ab6cd94527888fc0440000003004000000c83c4896580", "66×50 422 10"),
    (
      "67f4000a919b288f602dc040405000000300100000030320f1225960", "64×48 444 8 1/1/1 full"
    ),
    ("6764000af365149e3e3f016c800000030080000019078912cb", "66×50 400 8 2/2/2 full"),
    ("6742c00ad905278888c044000003000400000300c83c489920", "66×50 420 8"),
    ("67641015acf153c449808800000300080000030190a0", "66×52 420 8"),
  ])
  func `it reads H.264`(_ bytes: String, _ expected: String) throws {
    let found = text(try StreamShape(try AVCSequenceParameterSet(nalUnit: hex(bytes))))
    #expect(found == expected)
    for count in 0..<7 {
      #expect(throws: SyntaxError.self) {
        try AVCSequenceParameterSet(nalUnit: Array(hex(bytes).prefix(count)))
      }
    }
  }

  /// Sequence headers that libaom and SVT-AV1 wrote, through ffmpeg.
  @Test(arguments: [
    ("0a0a00000002aff79fff3008", "64×48 420 8 2/2/2 limited"),
    ("0a0d200000032c1c4fff9e12201320", "66×50 444 10 9/16/9 full"),
    ("0a0618157fbdb540", "64×48 400 8 2/2/2 full"),
    ("0a0a400000032c5bcfff9810", "70×48 422 8 2/2/2 limited"),
    ("0a0a00000002afff9f7f2808", "64×64 420 10 2/2/2 limited"),
    ("0a0938157fbdb404340080", "64×48 444 8 1/13/0 full"),
    ("12000a0618157fbdb540", "64×48 400 8 2/2/2 full"), ("1200", "nothing"),
    ("0a0618157f", "nothing"), ("0aff", "nothing"), ("", "nothing"),
  ])
  func `it reads AV1`(_ bytes: String, _ expected: String) {
    #expect(text(StreamShape(inAV1Units: hex(bytes))) == expected)
  }

  /// Frame headers that `cjpeg` wrote, behind its first segment.
  @Test(arguments: [
    ("ffc00011080032004203012200021101031101", "66×50 420 8 2/2/6 full"),
    ("ffc00011080032004203012100021101031101", "66×50 422 8 2/2/6 full"),
    ("ffc00011080032004203011100021101031101", "66×50 444 8 2/2/6 full"),
    ("ffc0000b080032004201011100", "66×50 400 8 2/2/6 full"),
    ("ffc20011080032004203012100021101031101", "66×50 422 8 2/2/6 full"),
    ("ffc000110800320042030122", "nothing"), ("ffda0011", "nothing"), ("ffc4", "nothing"),
  ])
  func `it reads JPEG`(_ frame: String, _ expected: String) {
    let start = "ffd8ffe000104a46494600010100000100010000"
    #expect(text(StreamShape(jpeg: hex(start + frame))) == expected)
  }
}
