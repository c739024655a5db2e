// SPDX-License-Identifier: MIT

public import ApusBytes
public import HEIF
public import HEVC
public import ISOBMFF

/// A decoder configuration record, with its location and its users.
public struct FoundRecord: Sendable {
  /// A track, item or other part of a file that uses a record.
  public enum User: Hashable, Sendable {
    /// A track, by its ID.
    case track(UInt32)
    /// A HEIF item, by its ID.
    case item(UInt32)
    /// The byte stream, from whose parameter sets the record was built.
    case stream
    /// The file is the record.
    case file
  }

  /// The record as read or, for a stream, as built.
  public var record: DecoderConfigurationRecord
  /// The bytes of the record as read or, for a stream, as built.
  public var bytes: [UInt8]
  /// The record of the layers above the base layer (`lhvC`), if there is one.
  public var layered: LayeredDecoderConfigurationRecord?
  /// The bytes of the layered record as read; `nil` if there is none.
  public var layeredBytes: [UInt8]?
  /// The offset of the record's first byte; `nil` if the record was built.
  public var offset: Int?
  /// The offset of the layered record's first byte.
  public var layeredOffset: Int?
  private let place: BoxPlace?
  /// The type of the sample entry or item, such as `hvc1`, `encv` or `dvh1`.
  public var entryType: FourCC?
  /// The type of the entry before it was protected or restricted (`frma`).
  public var originalType: FourCC?
  /// The tracks, items or other users of the record.
  public var users: [User]
  /// Further information about the pictures in the file, outside the record.
  public var surroundings: Surroundings

  /// Further information about the pictures in the file, outside the record.
  public enum Surroundings: Sendable {
    case nothing
    case track(Track, TrackSampleEntry)
    case items([Item])
  }

  /// Creates a record that was found.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the record as read or built.
  ///   - offset: the offset of its first byte; `nil` if it was built.
  ///   - place: the box; `nil` if there is none.
  public init(
    _ record: DecoderConfigurationRecord, bytes: [UInt8], offset: Int? = nil,
    place: BoxPlace? = nil,
    entryType: FourCC? = nil, users: [User] = [], surroundings: Surroundings = .nothing
  ) {
    self.record = record
    self.bytes = bytes
    self.offset = offset
    self.place = place
    self.entryType = entryType
    self.users = users
    self.surroundings = surroundings
  }

  /// The path of the box, such as `moov/trak/mdia/minf/stbl/stsd/hvc1/hvcC`; empty if there is none.
  public var path: String { place?.path ?? "" }

  /// The coding of the samples, without protection.
  public var codingType: FourCC? { originalType ?? entryType }
}

extension FoundRecord {
  /// The `codecs` parameter of the media type (RFC 6381; ISO/IEC 14496-15, Annex E).
  public var codecString: String {
    if case .track(_, let entry) = surroundings { return CodecString.of(entry) }
    // Items have the type `hvc1`, like tracks.
    let type = codingType ?? "hvc1"
    return record.codecString(sampleEntry: type.isHEVCSampleEntry ? type.description : "hvc1")
  }

  /// Other codecs that a more capable player may use for the samples: Dolby Vision, and the profile of the layers above
  /// the base layer (`hvc1.6.40.L156.BF.80` for two views).
  public var supplementalCodecStrings: [String] {
    guard case .track(_, let entry) = surroundings else { return [] }
    return CodecString.supplemental(entry)
  }

  /// Returns the first box of a type next to the record: in its sample entry, or among the properties of the first item
  /// that uses it.
  public func beside<B: Box>(_ type: B.Type) -> B? {
    switch surroundings {
    case .nothing: nil
    case .track(_, let entry): entry.located.children.lazy.compactMap { $0.box(B.self) }.first
    case .items(let items): items.first?.property(B.self)
    }
  }

  /// The NAL units of both records.
  public var headers: StreamHeaders { StreamHeaders(record, layered) }
}

extension FoundRecord.User: CustomStringConvertible {
  public var description: String {
    switch self {
    case .track(let id): "track \(id)"
    case .item(let id): "item \(id)"
    case .stream: "stream"
    case .file: "file"
    }
  }
}

extension FourCC {
  /// Whether its box is in a sample entry of HEVC: ISO/IEC 14496-15, 8.4.1, 9.6.1 and 10; Dolby Vision over HEVC.
  public var isHEVCSampleEntry: Bool {
    switch self {
    case "hvc1", "hev1", "hvc2", "hev2", "hvc3", "hev3", "lhv1", "lhe1", "hvt1", "hvt2", "hvt3",
      "lht1", "dvh1", "dvhe":
      true
    default: false
    }
  }
}
