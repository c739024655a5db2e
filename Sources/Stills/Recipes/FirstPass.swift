// SPDX-License-Identifier: MIT

internal import Bytes
internal import Colour
internal import Media

/// A pass over a picture that writes nothing, but finds out something that the next pass needs.
protocol FirstPass: PictureEncoder, PhotoOutput {
  /// Whether the next pass processes a picture of another size.
  var changesSize: Bool { get }
  func add(to results: inout PassResults) throws
}

extension FirstPass {
  var changesSize: Bool { false }
  var isSequential: Bool { false }
  func beginning() throws -> [UInt8] { [] }
  func ending() throws -> [UInt8] { [] }
  func write(_ bytes: Span<UInt8>) throws {}
  func amend(_ bytes: Span<UInt8>, at offset: Int) throws {}
  func written() throws -> any ByteSource { MemorySource([]) }
  func commit() throws -> String? { "" }
}
