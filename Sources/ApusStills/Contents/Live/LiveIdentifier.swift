// SPDX-License-Identifier: MIT

public import ApusBytes

/// Creates the content identifier of a Live Photo made from a picture and a video.
public enum LiveIdentifier {
  /// Returns a UUID derived from the bytes of both files, so that the same pair always gets the same one: version 8 of
  /// RFC 9562, with 122 bits of an FNV-1a hash.
  public static func identifier(of files: [Extent]) throws(SyntaxError) -> String {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for file in files {
      try file.forEachPiece { piece throws(SyntaxError) in
        for index in piece.indices {
          hash = (hash ^ UInt128(piece[index])) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
        }
      }
    }
    hash = hash & ~(0xf << 76) | 8 << 76
    hash = hash & ~(0x3 << 62) | 2 << 62
    var text = hash.hexadecimal(width: 32, uppercase: true)
    for place in [20, 16, 12, 8] {
      text.insert("-", at: text.index(text.startIndex, offsetBy: place))
    }
    return text
  }
}
