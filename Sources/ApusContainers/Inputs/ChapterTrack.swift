// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples

/// Chapters in a text track to which other tracks refer (`chap`): QuickTime File Format, Chapter Lists.
enum ChapterTrack {
  /// The most names that are taken for chapters.
  private static let most = 10_000
  private static let longest = 1 << 16

  static func chapters(of reader: MovieTrackReader) throws -> [Chapter] {
    var reader = reader
    var chapters: [Chapter] = []
    try reader.advance()
    while chapters.count < most, let event = try reader.next(as: 0) {
      guard case .sample(let sample) = event, sample.payload.count <= longest else { continue }
      let bytes = try sample.payload.bytes()
      guard bytes.count >= 2 else { continue }
      let length = min(Int(bigEndianBytes: bytes[..<2]), bytes.count - 2)
      let start = sample.presentationTime
      let end = sample.duration.flatMap { length -> RationalTime? in
        guard length.timescale == start.timescale else { return nil }
        let (end, overflow) = start.value.addingReportingOverflow(length.value)
        return overflow ? nil : RationalTime(end, per: start.timescale)
      }
      chapters.append(Chapter(start: start, end: end, title: text(bytes[2..<2 + length])))
    }
    return chapters
  }

  /// Decodes UTF-8, or UTF-16 after its byte order mark.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let isBig = bytes.starts(with: [0xfe, 0xff])
    guard isBig || bytes.starts(with: [0xff, 0xfe]) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    let rest = Array(bytes.dropFirst(2))
    let units = stride(from: 0, to: rest.count - 1, by: 2).map { place in
      let unit = UInt16(bigEndianBytes: rest[place..<place + 2])
      return isBig ? unit : unit.byteSwapped
    }
    return String(decoding: units, as: UTF16.self)
  }
}
