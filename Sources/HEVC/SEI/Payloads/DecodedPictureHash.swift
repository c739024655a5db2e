// SPDX-License-Identifier: MIT

public import ApusBytes

/// Decoded picture hash (`decoded_picture_hash()`): ITU-T H.265, D.2.19.
public struct DecodedPictureHash: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 132

  /// The hash: 0 for MD5, 1 for CRC, 2 for a checksum, with one for each colour component.
  public var hashType: UInt8 = 0
  public var pictureMD5: [[UInt8]] = []
  public var pictureCRC: [UInt16] = []
  public var pictureChecksum: [UInt32] = []

  private var size = 0

  public init() {}
  public init(in context: SEIContext) { size = context.size }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "hash_type", &hashType)
    // The number of components follows from the size.
    let left = v.isReading ? max(0, size - 1) : 0
    switch hashType {
    case 0:
      let count = v.isReading ? min(3, left / 16) : pictureMD5.count
      try v.list("picture_md5", &pictureMD5, count: count) { hash, v throws(SyntaxError) in
        try v.bytes("picture_md5", &hash, count: 16)
      }
    case 1:
      let count = v.isReading ? min(3, left / 2) : pictureCRC.count
      try v.values(16, "picture_crc", &pictureCRC, count: count, as: .hex)
    case 2:
      let count = v.isReading ? min(3, left / 4) : pictureChecksum.count
      try v.values(32, "picture_checksum", &pictureChecksum, count: count, as: .hex)
    default:
      throw v.failure(.unsupported, "hash_type", "is \(hashType), known are 0 to 2")
    }
  }
}
