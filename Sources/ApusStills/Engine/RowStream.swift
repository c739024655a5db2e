// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusPNG
internal import HEIF

/// A source whose rows are decoded from top to bottom, a few at a time, by one worker after another.
///
/// It may cross threads because `PictureProgress` begins a step of a stream only when the one before has ended.
final class RowStream: @unchecked Sendable {
  private let source: PlannedSource
  private let pieces: ExtentPieces
  private var reader: PNGRowReader?
  /// The error that ended the stream.
  private var refusal: MediaError?

  init(_ source: PlannedSource) {
    self.source = source
    pieces = ExtentPieces(source.samples.last ?? [])
  }

  /// Decodes the rows that follow those of the previous call.
  func decode(
    _ rows: Range<Int>, on worker: Worker,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws {
    if let refusal { throw refusal }
    do throws(MediaError) {
      let reader = if let reader { reader } else { try opened(worker) }
      guard reader.row == rows.lowerBound else {
        throw MediaError(
          .misuse, "row \(rows.lowerBound) was asked for, row \(reader.row) comes next")
      }
      try unsafe reader.decode(rows: rows.count, body)
      if reader.row == reader.format.height { self.reader = nil }
    } catch {
      let refusal =
        pieces.failure.map { MediaError($0) } ?? error.inside(source)
      self.refusal = refusal
      reader = nil
      throw refusal
    }
  }

  private func opened(_ worker: Worker) throws(MediaError) -> PNGRowReader {
    worker.note(CodecUse(name: PNGDecoder.name))
    let pieces = pieces
    let opened = try PNGRowReader(alpha: source.codec == .pngAlpha) { () throws(MediaError) in
      try pieces.next()
    }
    reader = opened
    return opened
  }
}

/// Extents of a file, read from first to last in pieces.
private final class ExtentPieces {
  private var rest: ArraySlice<Extent>
  /// The number of bytes read from the first extent.
  private var place = 0
  private(set) var failure: SyntaxError?

  private static let size = 1 << 16

  init(_ extents: [Extent]) { rest = extents[...] }

  /// Returns the next bytes; empty at the end.
  func next() throws(MediaError) -> [UInt8] {
    while let extent = rest.first {
      let start = extent.range.lowerBound + place
      let end = min(start + Self.size, extent.range.upperBound)
      guard start < end else {
        rest = rest.dropFirst()
        place = 0
        continue
      }
      place += end - start
      do throws(SyntaxError) {
        return try extent.source.bytes(in: start..<end)
      } catch {
        failure = error
        throw MediaError(.io, error.description)
      }
    }
    return []
  }
}
