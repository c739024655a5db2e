// SPDX-License-Identifier: MIT

internal import Bytes
internal import JPEG
internal import Media

/// Decodes what was written once more, to the last sample, before it gets its name.
struct OutputCheck {
  let output: any PhotoOutput
  let format: OutputFormat
  let width: Int
  let height: Int

  func run() throws(PictureError) {
    let source = try output.written()
    guard format == .jpeg else {
      throw PictureError(.misuse, "only a JPEG can be verified, not \(format.rawValue)")
    }
    var place = 0
    let check = try JPEGCheck { (count: Int) throws(PictureError) -> [UInt8] in
      let range = place..<min(place + count, source.count)
      place = range.upperBound
      do throws(SyntaxError) {
        return try source.bytes(in: range)
      } catch {
        throw PictureError(.io, "what was written cannot be read again: \(error.detail)")
      }
    }
    guard check.width == width, check.height == height else {
      throw PictureError(
        .corrupt,
        "what was written holds \(check.width) × \(check.height) samples, not \(width) × \(height)")
    }
  }
}
