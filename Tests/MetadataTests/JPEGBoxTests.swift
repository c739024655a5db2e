// SPDX-License-Identifier: MIT

import ApusBytes
import Testing

@testable import ApusMetadata

struct JPEGBoxTests {
  /// A manifest store of 40 bytes: ISO/IEC 19566-5, A.
  private static let store: [UInt8] = [
    [0, 0, 0, 40], Array("jumb".utf8), [0, 0, 0, 30], Array("jumdc2pa".utf8),
    [0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71, 3], Array("c2pa".utf8), [0, 1, 2],
  ].flatMap { $0 }

  /// A segment of a box: ISO/IEC 18477-3, B.
  private static func segment(_ sequence: UInt8, _ payload: ArraySlice<UInt8>, instance: UInt8 = 1)
    -> [UInt8]
  {
    let head = Array("JP".utf8) + [0, instance, 0, 0, 0, sequence]
    let body = head + Array(store.prefix(8)) + Array(payload)
    return [0xFF, 0xEB, 0, UInt8(body.count + 2)] + body
  }

  private static func file(_ segments: [[UInt8]]) -> [UInt8] {
    [0xFF, 0xD8] + segments.joined() + [0xFF, 0xD9]
  }

  @Test(arguments: [40, 30, 10]) func `it joins the parts of a manifest store`(_ size: Int) throws {
    let payload = Self.store.dropFirst(8)
    let starts = stride(from: payload.startIndex, to: payload.endIndex, by: size)
    let parts = starts.enumerated().map { index, start in
      Self.segment(UInt8(index + 1), payload[start..<min(start + size, payload.endIndex)])
    }
    let other = Self.segment(1, payload.suffix(2), instance: 2)
    let file = MemorySource(Self.file([other] + parts))
    let found = try JPEGSegments(Extent(file, 0..<file.count)).contentCredentials
    // The first part has to contain the description.
    guard size > 10 else { return #expect(found.isEmpty) }
    let box = try #require(found.first)
    #expect(try box.bytes(in: file) == Self.store)
    #expect(found.count == 1)
    #expect(box.parts.map(\.segment.count) == parts.map(\.count))
    #expect(box.parts[0].segment.lowerBound == 2 + other.count)
  }
}
