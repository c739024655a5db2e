// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The bytes between the header of a tag and its frame, written by hand for speed; the tests compare them with the
/// declarations.
struct PacketHead: Sendable {
  var form: Packet.Form
  var codec: FourCC
  var codecID: UInt8
  var kind: Packet.Kind
  var frameType: FrameType
  var compositionTime: Int32

  /// - Returns: `false` if the form has no such tag.
  @inline(__always)
  func append(to bytes: inout [UInt8]) -> Bool {
    form == .legacy ? appendLegacy(to: &bytes) : appendEnhanced(to: &bytes)
  }

  private func appendLegacy(to bytes: inout [UInt8]) -> Bool {
    let type: UInt8
    switch kind {
    case .configuration: type = 0
    case .frames: type = 1
    case .end: type = 2
    default: return false
    }
    bytes.append(frameType.rawValue << 4 | codecID)
    bytes.append(type)
    TagHeader.append24(UInt32(bitPattern: compositionTime) & 0xff_ffff, to: &bytes)
    return true
  }

  private func appendEnhanced(to bytes: inout [UInt8]) -> Bool {
    let type: VideoPacketType
    switch kind {
    case .configuration: type = .sequenceStart
    case .frames: type = compositionTime == 0 ? .codedFramesX : .codedFrames
    case .end: type = .sequenceEnd
    default: return false
    }
    bytes.append(0x80 | frameType.rawValue << 4 | type.rawValue)
    TagHeader.append32(codec.code, to: &bytes)
    if type == .codedFrames {
      TagHeader.append24(UInt32(bitPattern: compositionTime) & 0xff_ffff, to: &bytes)
    }
    return true
  }
}
