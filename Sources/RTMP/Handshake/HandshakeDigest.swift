// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The position of the digest in the 1536 bytes that open a digest handshake.
///
/// Adobe never published this form; servers for Flash players require it, and most accept the plain form from
/// publishers.
enum DigestScheme: CaseIterable, Sendable {
  /// The position that bytes 772 to 775 give.
  case late
  /// The position that bytes 8 to 11 give.
  case early

  func offset(in block: [UInt8]) -> Int {
    let (field, start) = self == .late ? (772, 776) : (8, 12)
    return block[field..<field + 4].reduce(0) { $0 + Int($1) } % 728 + start
  }
}

/// The signing keys of both sides.
enum HandshakeKey {
  private static let shared: [UInt8] = [
    0xf0, 0xee, 0xc2, 0x4a, 0x80, 0x68, 0xbe, 0xe8, 0x2e, 0x00, 0xd0, 0xd1, 0x02, 0x9e, 0x7e, 0x57,
    0x6e, 0xec, 0x5d, 0x2d, 0x29, 0x80, 0x6f, 0xab, 0x93, 0xb8, 0xe6, 0x36, 0xcf, 0xeb, 0x31, 0xae,
  ]
  static let clientName = Array("Genuine Adobe Flash Player 001".utf8)
  static let serverName = Array("Genuine Adobe Flash Media Server 001".utf8)
  static let client = clientName + shared
  static let server = serverName + shared
}

/// The 1536 bytes C1 or S1, C2 or S2.
enum HandshakeBlock {
  static let size = 1536
  static let digestSize = 32
  private static let signedSize = size - digestSize

  /// Returns random bytes after a time of zero and the version of a program that is known to work.
  static func opening(version: [UInt8], using random: inout some RandomNumberGenerator) -> [UInt8] {
    [0, 0, 0, 0] + version + noise(size - 8, using: &random)
  }

  static func noise(_ count: Int, using random: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<count).map { _ in .random(in: .min ... .max, using: &random) }
  }

  /// Returns the digest of the block, ignoring the bytes in its place.
  static func digest(of block: [UInt8], at offset: Int, key: [UInt8]) -> [UInt8] {
    SHA256.code(of: Array(block[..<offset] + block[(offset + digestSize)...]), key: key)
  }

  static func sign(_ block: inout [UInt8], _ scheme: DigestScheme, key: [UInt8]) {
    let offset = scheme.offset(in: block)
    block.replaceSubrange(
      offset..<offset + digestSize, with: digest(of: block, at: offset, key: key))
  }

  /// Returns the scheme by which a block was signed, and its digest; `nil` for the plain handshake.
  static func signature(of block: [UInt8], key: [UInt8]) -> (scheme: DigestScheme, [UInt8])? {
    for scheme in DigestScheme.allCases {
      let offset = scheme.offset(in: block)
      let found = Array(block[offset..<offset + digestSize])
      if found == digest(of: block, at: offset, key: key) { return (scheme, found) }
    }
    return nil
  }

  /// Returns the answer to a signed block: random bytes, and a digest computed from the peer's.
  static func answer(
    to digest: [UInt8], key: [UInt8], using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let bytes = noise(signedSize, using: &random)
    return bytes + SHA256.code(of: bytes, key: SHA256.code(of: digest, key: key))
  }
}
