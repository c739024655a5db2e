// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Writing of the same bytes at memory speed.
extension ChunkHeader {
  func append(to output: inout [UInt8]) {
    appendStreamID(form, to: &output)
    Self.append(extendedTimestamp == nil ? timestamp : Self.escape, 3, to: &output)
    if form != .sameLength {
      Self.append(messageLength, 3, to: &output)
      output.append(messageType)
    }
    if form == .full { Self.append(messageStreamID.byteSwapped, 4, to: &output) }
    if let extendedTimestamp { Self.append(extendedTimestamp, 4, to: &output) }
  }

  /// Appends the header of the message's further chunks.
  func appendContinuation(to output: inout [UInt8]) {
    appendStreamID(.continued, to: &output)
    if let extendedTimestamp { Self.append(extendedTimestamp, 4, to: &output) }
  }

  private func appendStreamID(_ form: ChunkForm, to output: inout [UInt8]) {
    let fmt = form.rawValue << 6
    switch chunkStreamID {
    case ..<64: output.append(fmt | UInt8(truncatingIfNeeded: chunkStreamID))
    case ..<320:
      output.append(fmt)
      output.append(UInt8(truncatingIfNeeded: chunkStreamID - 64))
    default:
      output.append(fmt | 1)
      output += UInt16(truncatingIfNeeded: chunkStreamID - 64).byteSwapped.bigEndianBytes
    }
  }

  private static func append(_ number: UInt32, _ count: Int, to output: inout [UInt8]) {
    for index in 0..<count {
      output.append(UInt8(truncatingIfNeeded: number >> UInt32(8 * (count - 1 - index))))
    }
  }
}
