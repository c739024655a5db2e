// SPDX-License-Identifier: MIT

public import ApusBytes

/// The parameter sets and SEI messages before the pictures of a stream, each NAL unit with its parsed content, in the
/// given order.
public struct StreamHeaders: Sendable {
  /// A NAL unit with its parsed content.
  public struct Entry<Payload: NALUnitPayload>: Sendable {
    /// The NAL unit as given, including emulation prevention bytes.
    public var bytes: [UInt8]
    /// The header of the NAL unit.
    public var header: NALUnitHeader
    /// The parsed content.
    public var payload: Payload
  }

  /// A NAL unit that could not be read, with the reason.
  public struct Unread: Sendable {
    /// The NAL unit as given, including emulation prevention bytes.
    public var bytes: [UInt8]
    /// The header of the NAL unit.
    public var header: NALUnitHeader
    /// The reason why it could not be read.
    public var failure: SyntaxError
  }

  /// The video parameter sets of all layers.
  public private(set) var videos: [Entry<VideoParameterSet>] = []
  /// The sequence parameter sets of all layers.
  public private(set) var sequences: [Entry<SequenceParameterSet>] = []
  /// The picture parameter sets of all layers.
  public private(set) var pictures: [Entry<PictureParameterSet>] = []
  /// The NAL units with SEI messages, of all layers.
  public private(set) var messages: [Entry<SupplementalInformation>] = []
  /// The parameter sets and SEI messages that could not be read.
  public private(set) var unread: [Unread] = []
  /// The NAL units of all other types.
  public private(set) var others: [[UInt8]] = []
  /// The sets keyed by ID, for references in later NAL units.
  public private(set) var sets = ParameterSets()
  private let limits: Limits

  /// Parses NAL units without start codes; those that cannot be read are in `unread`.
  public init(_ nalUnits: [[UInt8]] = [], limits: Limits = Limits()) {
    self.limits = limits
    for nalUnit in nalUnits { add(nalUnit) }
  }

  /// Creates the headers of a record, and of the layered record if there is one.
  public init(
    _ record: DecoderConfigurationRecord, _ layered: LayeredDecoderConfigurationRecord? = nil,
    limits: Limits = Limits()
  ) {
    let arrays = record.arrays + (layered?.arrays ?? [])
    self.init(arrays.flatMap(\.nalUnits), limits: limits)
  }

  /// Parses a NAL unit, and adds it to the list of its kind.
  public mutating func add(_ bytes: [UInt8]) {
    switch NALUnitHeader(of: bytes)?.nalUnitType {
    case .vps: if let set = keep(bytes, in: \.videos) { sets.add(set) }
    case .sps: if let set = keep(bytes, in: \.sequences) { sets.add(set) }
    case .pps: if let set = keep(bytes, in: \.pictures) { sets.add(set) }
    case .prefixSEI, .suffixSEI: keep(bytes, in: \.messages)
    default: others.append(bytes)
    }
  }

  @discardableResult
  private mutating func keep<Payload: NALUnitPayload>(
    _ bytes: [UInt8], in list: WritableKeyPath<StreamHeaders, [Entry<Payload>]>
  ) -> Payload? {
    let unit = NALUnit<Payload>(bytes, sets: sets, limits: limits)
    if let payload = unit.payload {
      self[keyPath: list].append(Entry(bytes: bytes, header: unit.header, payload: payload))
    } else if let failure = unit.failure {
      unread.append(Unread(bytes: bytes, header: unit.header, failure: failure))
    }
    return unit.payload
  }

  /// The sets of only the base layer.
  public var baseVideos: [VideoParameterSet] { Self.payloads(videos, isBase: true) }
  /// The sequence parameter sets of only the base layer.
  public var baseSequences: [SequenceParameterSet] { Self.payloads(sequences, isBase: true) }
  /// The picture parameter sets of only the base layer.
  public var basePictures: [PictureParameterSet] { Self.payloads(pictures, isBase: true) }
  /// The sets of the layers above it.
  public var upperSequences: [SequenceParameterSet] { Self.payloads(sequences, isBase: false) }
  /// The picture parameter sets of the layers above the base layer.
  public var upperPictures: [PictureParameterSet] { Self.payloads(pictures, isBase: false) }

  private static func payloads<Payload>(_ entries: [Entry<Payload>], isBase: Bool) -> [Payload] {
    entries.filter { ($0.header.nuhLayerID == 0) == isBase }.map(\.payload)
  }

  /// Returns the first SEI payload of a type.
  public func first<Payload: SEIPayload>(_ type: Payload.Type) -> Payload? {
    for message in messages {
      if let found = message.payload.first(type) { return found }
    }
    return nil
  }
}

/// The ID by which others refer to a parameter set.
public protocol ParameterSet: NALUnitPayload {
  /// The ID, unique among the sets of its kind.
  var id: UInt8 { get }
  /// The short name: `VPS`, `SPS`, `PPS`.
  static var shortName: String { get }
}

extension VideoParameterSet: ParameterSet {
  public var id: UInt8 { vpsVideoParameterSetID }
  public static var shortName: String { "VPS" }
}

extension SequenceParameterSet: ParameterSet {
  public var id: UInt8 { spsSeqParameterSetID }
  public static var shortName: String { "SPS" }
}

extension PictureParameterSet: ParameterSet {
  public var id: UInt8 { ppsPicParameterSetID }
  public static var shortName: String { "PPS" }
}
