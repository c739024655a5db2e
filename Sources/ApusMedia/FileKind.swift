// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The kind of a file, determined by its first bytes and never by its name.
public enum FileKind: String, Hashable, Sendable, CaseIterable {
  case isoBMFF, jpeg, png, pixmap, gif, bmp, tiff, webP, jpegXL, jpeg2000, flv, matroska, mpegTS,
    mpegPS
  case annexB, hevcRecord, avi, wave, riff, ogg, adts, mp3, y4m, pdf, zip, gzip, xml, m3u8
  case empty, unknown

  /// The number of bytes from the start that are sufficient to determine the kind.
  public static let prefixLength = 1024

  /// Determines the kind from the first bytes of a file, of which `prefixLength` are sufficient.
  public init(prefix: [UInt8]) {
    if let signature = Self.signatures.first(where: { $0.matches(prefix) }) {
      self = signature.kind
    } else if prefix.isEmpty {
      self = .empty
    } else {
      self = Self.beginsWithNALUnit(prefix) ? .annexB : .unknown
    }
  }

  /// The kind with its article, for use after "is".
  public var description: String {
    switch self {
    case .isoBMFF: "an ISO base media file"
    case .jpeg: "a JPEG picture"
    case .png: "a PNG picture"
    case .pixmap: "a portable pixmap (PPM or PGM)"
    case .gif: "a GIF picture"
    case .bmp: "a BMP picture"
    case .tiff: "a TIFF picture or camera raw file"
    case .webP: "a WebP picture"
    case .jpegXL: "a JPEG XL picture"
    case .jpeg2000: "a JPEG 2000 codestream"
    case .flv: "a Flash Video (FLV) file"
    case .matroska: "a Matroska or WebM file"
    case .mpegTS: "an MPEG transport stream"
    case .mpegPS: "an MPEG program stream"
    case .annexB: "a bare H.264 or HEVC stream (Annex B)"
    case .hevcRecord: "a bare HEVC decoder configuration record"
    case .avi: "an AVI file"
    case .wave: "a WAVE file"
    case .riff: "a RIFF file"
    case .ogg: "an Ogg file"
    case .adts: "a bare AAC stream (ADTS)"
    case .mp3: "an MP3 file"
    case .y4m: "a YUV4MPEG2 file"
    case .pdf: "a PDF document"
    case .zip: "a ZIP archive"
    case .gzip: "a gzip file"
    case .xml: "an XML document"
    case .m3u8: "an HLS playlist"
    case .empty: "empty"
    case .unknown: "of a kind that is not known here"
    }
  }
}

extension FileKind {
  /// Returns whether the bytes begin with a start code and the header of a NAL unit that is valid in H.264 or HEVC:
  /// ITU-T H.264, 7.3.1; ITU-T H.265, 7.3.1.2.
  private static func beginsWithNALUnit(_ prefix: [UInt8]) -> Bool {
    guard let start = prefix.firstIndex(where: { $0 != 0 }), start >= 2, prefix[start] == 1,
      prefix.count > start + 2, prefix[start + 1] < 0x80
    else { return false }
    let (first, second) = (prefix[start + 1], prefix[start + 2])
    let isHEVC =
      first & 1 == 0 && second & 7 > 0
      && [0...9, 16...21, 32...40].contains { $0 ~= first.hevcNALUnitType }
    return isHEVC || (1...15).contains(first.avcNALUnitType)
  }

  /// Bytes at an offset, with `nil` for any byte.
  private struct Signature {
    var kind: FileKind
    var offset = 0
    var bytes: [UInt8?]

    init(_ kind: FileKind, _ bytes: [UInt8?], at offset: Int = 0) {
      self.kind = kind
      self.bytes = bytes
      self.offset = offset
    }

    init(_ kind: FileKind, _ text: String, at offset: Int = 0) {
      self.init(kind, Array(text.utf8), at: offset)
    }

    func matches(_ prefix: [UInt8]) -> Bool {
      prefix.count >= offset + bytes.count
        && bytes.indices.allSatisfy { bytes[$0] == nil || bytes[$0] == prefix[offset + $0] }
    }
  }

  /// The signatures, of which the first match decides.
  private static let signatures: [Signature] = [
    Signature(.isoBMFF, "ftyp", at: 4), Signature(.isoBMFF, "styp", at: 4),
    Signature(.isoBMFF, "moov", at: 4), Signature(.isoBMFF, "mdat", at: 4),
    Signature(.isoBMFF, "moof", at: 4), Signature(.isoBMFF, "sidx", at: 4),
    Signature(.isoBMFF, "wide", at: 4), Signature(.isoBMFF, "free", at: 4),
    Signature(.isoBMFF, "skip", at: 4),
    Signature(.jpeg, [0xff, 0xd8, 0xff]), Signature(.png, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]),
    Signature(.gif, "GIF8"), Signature(.tiff, [0x49, 0x49, 0x2a, 0]),
    Signature(.tiff, [0x4d, 0x4d, 0, 0x2a]), Signature(.jpegXL, [0xff, 0x0a]),
    Signature(.jpeg2000, [0xff, 0x4f, 0xff, 0x51]), Signature(.flv, "FLV\u{1}"),
    Signature(.matroska, [0x1a, 0x45, 0xdf, 0xa3]),
    Signature(.mpegTS, [0x47] + [UInt8?](repeating: nil, count: 187) + [0x47]),
    Signature(.mpegPS, [0, 0, 1, 0xba]),
    Signature(.webP, Array("RIFF".utf8) + [nil, nil, nil, nil] + Array("WEBP".utf8)),
    Signature(.avi, Array("RIFF".utf8) + [nil, nil, nil, nil] + Array("AVI ".utf8)),
    Signature(.wave, Array("RIFF".utf8) + [nil, nil, nil, nil] + Array("WAVE".utf8)),
    Signature(.riff, "RIFF"), Signature(.ogg, "OggS"), Signature(.mp3, "ID3"),
    Signature(.adts, [0xff, 0xf1]), Signature(.adts, [0xff, 0xf9]), Signature(.y4m, "YUV4MPEG2"),
    Signature(.pixmap, "P5\n"), Signature(.pixmap, "P6\n"), Signature(.pixmap, "P5 "),
    Signature(.pixmap, "P6 "), Signature(.pdf, "%PDF"), Signature(.zip, [0x50, 0x4b, 3, 4]),
    Signature(.gzip, [0x1f, 0x8b]),
    Signature(.xml, "<?xml"), Signature(.m3u8, "#EXTM3U"), Signature(.bmp, "BM"),
    Signature(.hevcRecord, [1] + [UInt8?](repeating: nil, count: 12) + [0xf0, nil, 0xfc]),
  ]
}
