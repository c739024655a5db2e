// SPDX-License-Identifier: MIT

public import ApusBytes

extension FourCC {
  /// Whether the type consists of characters that people type, possibly after the © with which QuickTime's names begin.
  fileprivate var isText: Bool {
    (0..<4).allSatisfy { index in
      let byte = code >> UInt32(24 - 8 * index) & 0xFF
      return (0x20...0x7E).contains(byte) || index == 0 && byte == 0xA9
    }
  }
}

extension BoxTree {
  /// Boxes of unknown type in the structure of movies: the content of such a box is not found, although nothing else is
  /// wrong. Among boxes to which vendors add others, only those are included whose types are not letters, or differ in
  /// one bit from that of a box which belongs there.
  public var misnamed: [(box: LocatedNode, meant: FourCC?)] {
    var found: [(box: LocatedNode, meant: FourCC?)] = []
    Self.collect(located, Self.outermost, in: &found)
    return found
  }

  private static func collect(
    _ siblings: [LocatedNode], _ expected: [FourCC],
    isClosed: Bool = false, in found: inout [(box: LocatedNode, meant: FourCC?)]
  ) {
    for located in siblings {
      let type = located.node.type
      if let children = structure[type] {
        collect(located.children, children, isClosed: !open.contains(type), in: &found)
      } else if case .opaque(_, .unknown) = located.node.content {
        let meant = expected.first { ($0.code ^ type.code).nonzeroBitCount == 1 }
        // At file level, vendors store boxes with names of any kind.
        let isOther = isClosed || located.path.contains("/") && !type.isText
        if isOther || meant != nil { found.append((located, meant)) }
      }
    }
  }

  /// The boxes to which vendors add others.
  private static let open: Set<FourCC> = ["moov", "trak", "udta", "meta"]
  private static let outermost: [FourCC] = ["ftyp", "moov", "moof", "mdat", "meta"]

  /// The boxes that are searched, with the types that belong in each.
  private static let structure: [FourCC: [FourCC]] = [
    "moov": ["mvhd", "trak", "mvex", "udta", "meta"],
    "trak": ["tkhd", "edts", "tref", "mdia", "udta", "meta"],
    "udta": ["meta"],
    "meta": ["hdlr", "keys", "ilst"],
    "edts": ["elst"],
    "mdia": ["mdhd", "hdlr", "minf", "elng"],
    "minf": ["stbl", "dinf"],
    "stbl": [
      "stsd", "stts", "ctts", "cslg", "stss", "stsz", "stz2", "stsc", "stco", "co64", "sbgp",
      "sgpd",
    ],
    "mvex": ["trex", "mehd"],
    "moof": ["mfhd", "traf"],
    "traf": ["tfhd", "tfdt", "trun", "sbgp", "sgpd"],
  ]
}
