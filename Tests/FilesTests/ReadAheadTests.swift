// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import TestSupport
import Testing

@Suite struct ReadAheadTests {
  /// Bytes that tell where they stand, of a file that is larger than what is read ahead.
  private static let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) }

  private func file() throws -> FileSource {
    let folder = try TestFolder()
    let file = try #require(try GrowingFile(folder.path + "/bytes"))
    try file.writer.write(Self.bytes.span)
    return try file.written()
  }

  @Test(arguments: [
    [0..<10, 10..<20, 20..<4000, 100..<200],
    [399_990..<400_000, 399_000..<400_000, 0..<1],
    [0..<1, 131_000..<131_100, 262_000..<262_500, 131_050..<131_150],
    [5..<200_000, 200_000..<200_001, 0..<400_000, 7..<7],
  ])
  func `it gives the bytes of the file`(ranges: [Range<Int>]) throws {
    let source = try ReadAheadSource(file())
    for range in ranges { #expect(try source.bytes(in: range) == Array(Self.bytes[range])) }
  }

  @Test func `it adds to a spool that is read`() throws {
    let spool = try SpoolSource()
    var places: [Range<Int>] = []
    for size in [1, 100, 70_000] {
      let piece = Array(Self.bytes.prefix(size))
      places.append(try spool.append(piece.span))
      for place in places {
        #expect(try spool.bytes(in: place) == Array(Self.bytes.prefix(place.count)))
      }
    }
    #expect(spool.count == 70_101)
  }
}
