// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The parts of extended XMP in the segments of a JPEG. A packet refers to its parts by their digest: XMP part 3,
/// 1.1.3.1.
struct ExtendedXMPParts {
  private struct Packet {
    var size: Int
    var parts: [Int: ArraySlice<UInt8>] = [:]

    /// The joined parts; `nil` if a part is missing.
    var joined: [UInt8]? {
      var bytes: [UInt8] = []
      for (place, part) in parts.sorted(by: { $0.key < $1.key }) {
        guard place == bytes.count else { return nil }
        bytes += part
      }
      return bytes.count == size ? bytes : nil
    }
  }

  private static let digestCount = 32

  /// The packets, keyed by digest.
  private var packets: [[UInt8]: Packet] = [:]

  /// Adds the body of a segment after its identifier: the digest, the total size, the offset of this part, and the part
  /// itself.
  mutating func add(_ body: ArraySlice<UInt8>) {
    let numbers = body.dropFirst(Self.digestCount)
    guard numbers.count > 8 else { return }
    let size = Int(bigEndianBytes: numbers.prefix(4))
    let place = Int(bigEndianBytes: numbers.dropFirst(4).prefix(4))
    let digest = Array(body.prefix(Self.digestCount))
    packets[digest, default: Packet(size: size)].parts[place] = numbers.dropFirst(8)
  }

  /// Returns the extended part of a packet, and descriptions of omitted parts.
  func part(of packet: [UInt8]?) -> (bytes: [UInt8], omissions: [String]) {
    let named = packet.flatMap { packet in
      packets.keys.first { digest in packet.holds(digest) }
    }
    let others = packets.count - (named == nil ? 0 : 1)
    var omissions: [String] = []
    if others > 0 {
      omissions.append(
        "extended XMP is left out because the XMP of the picture does not reference it")
    }
    guard let named, let joined = packets[named]?.joined else {
      if named != nil { omissions.append("extended XMP is left out because part of it is missing") }
      return ([], omissions)
    }
    return (joined, omissions)
  }
}

extension [UInt8] {
  /// Returns whether these bytes contain others.
  fileprivate func holds(_ other: [UInt8]) -> Bool {
    guard let first = other.first else { return true }
    return indices.contains { self[$0] == first && self[$0...].starts(with: other) }
  }
}
