// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusJPEG
internal import ApusMedia
internal import ApusPNG
internal import HEIF
internal import ISOBMFF

/// Decodes a written output to the last sample before the file gets its name.
struct OutputCheck {
  let output: any PhotoOutput
  let format: OutputFormat
  let width: Int
  let height: Int
  /// A checksum of the samples of a PNG.
  let digest: UInt64?

  func run() throws {
    let source = try output.written()
    switch format {
    case .jpeg: try checkJPEG(source)
    case .heic: try checkHEIC(source)
    case .png: try checkPNG(source)
    case .webp, .ppm, .yuv:
      throw MediaError(
        .misuse, "only a JPEG, PNG or HEIC can be verified, not \(format.rawValue)")
    }
  }

  /// Compares an output that was copied with its bytes.
  static func compare(_ written: any ByteSource, with extents: [Extent]) throws {
    var place = 0
    var isSame = true
    for extent in extents {
      try extent.forEachPiece { piece throws(SyntaxError) in
        isSame = isSame && place + piece.count <= written.count
        guard isSame else { return }
        let bytes = try written.bytes(in: place..<place + piece.count)
        place += piece.count
        isSame = piece.indices.allSatisfy { piece[$0] == bytes[$0] }
      }
    }
    guard isSame, place == written.count else {
      throw MediaError(.corrupt, "the output has other bytes than what was copied")
    }
  }

  private func checkJPEG(_ source: any ByteSource) throws {
    let check = try JPEGCheck { pieces(of: source) }
    try self.check(check.width, check.height)
  }

  /// Checks a PNG: it is lossless, so its samples must be those that were encoded.
  private func checkPNG(_ source: any ByteSource) throws {
    let pieces = pieces(of: source)
    let check = try PNGCheck { () throws(MediaError) in try pieces(1 << 16) }
    try self.check(check.settings.width, check.settings.height)
    guard let digest, check.digest == digest else {
      throw MediaError(.corrupt, "the output has other samples than the picture")
    }
  }

  /// Returns a function that reads an output piece by piece, each at most as long as requested.
  private func pieces(of source: any ByteSource) -> (Int) throws(MediaError) -> [UInt8] {
    var place = 0
    return { (count: Int) throws(MediaError) -> [UInt8] in
      let range = place..<min(place + count, source.count)
      place = range.upperBound
      do throws(SyntaxError) {
        return try source.bytes(in: range)
      } catch {
        throw MediaError(.io, "the output cannot be read back: \(error.detail)")
      }
    }
  }

  /// Decodes every tile of the picture and of its alpha.
  private func checkHEIC(_ source: any ByteSource) throws {
    let plan = try read { () throws(SyntaxError) in
      let file = PhotoFile(try BoxTree(reading: source))
      return try file.plan(try file.primaryPicture())
    }
    let stored = plan.laid(plan.orientation.inverse)
    try check(stored.width, stored.height)
    let decoder = try FFmpegDecoder()
    for source in plan.sources + plan.alpha.flatMap(\.sources) {
      let coded = try read { () throws(SyntaxError) in try source.loaded() }
      try unsafe decoder.decode(coded) { view throws(MediaError) in
        guard unsafe view.format == source.format else {
          throw MediaError(.corrupt, "\(source.name) decodes to another format than it declares")
        }
      }
    }
  }

  private func read<Value>(_ body: () throws(SyntaxError) -> Value) throws -> Value {
    do throws(SyntaxError) {
      return try body()
    } catch {
      throw MediaError(.corrupt, "the output cannot be read back: \(error)")
    }
  }

  private func check(_ foundWidth: Int, _ foundHeight: Int) throws {
    guard foundWidth == width, foundHeight == height else {
      throw MediaError(
        .corrupt,
        "the output is \(foundWidth) × \(foundHeight) instead of \(width) × \(height)")
    }
  }
}
