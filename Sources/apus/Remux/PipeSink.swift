// SPDX-License-Identifier: MIT

import Bytes
import Files

/// Standard output for a stream that someone waits for: nothing stays behind when a tag or a picture is whole.
struct PipeSink: ByteSink {
  private let writer: DescriptorWriter
  /// Whether bytes of a tag went in whose end has not come: its head comes first, its payload as an extent,
  /// its size last.
  private var isInTag = false
  private let hasTags: Bool

  init(_ writer: DescriptorWriter, hasTags: Bool) {
    self.writer = writer
    self.hasTags = hasTags
  }

  var count: Int { writer.count }

  mutating func append(_ byte: UInt8) throws(SyntaxError) { try writer.append(byte) }

  mutating func append(_ bytes: Span<UInt8>) throws(SyntaxError) {
    try writer.append(bytes)
    if hasTags, !isInTag { return }
    isInTag = false
    try flush()
  }

  mutating func append(_ extent: Extent) throws(SyntaxError) {
    try writer.append(extent)
    isInTag = true
  }

  private func flush() throws(SyntaxError) {
    do throws(FileError) {
      try writer.flush()
    } catch {
      throw SyntaxError(.io, field: "", offset: writer.count, detail: error.description)
    }
  }
}
