// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import Foundation

/// Data of Foundation as an input.
final class DataSource: ByteSource {
  private let data: Data
  init(_ data: Data) { self.data = data }

  var count: Int { data.count }
  var resident: [UInt8]? { nil }

  func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    for byte in data.dropFirst(range.lowerBound).prefix(range.count) { output.append(byte) }
  }
}
// end
