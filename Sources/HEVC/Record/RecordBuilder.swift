// SPDX-License-Identifier: MIT

public import ApusBytes

/// Creates the configuration record of a stream from its parameter sets, as
/// `CMVideoFormatDescriptionCreateFromHEVCParameterSets` does on Apple's systems (ISO/IEC 14496-15, 8.3.2.1).
///
/// Every field is derived from all sets; equal sets are stored once, contradictory sets are an error. Sets of layers
/// above the base layer go into an `lhvC`.
public struct RecordBuilder: Sendable {
  /// The number of length bytes before each NAL unit of a sample: 1, 2 or 4.
  public var lengthSize = 4
  /// Whether all parameter sets of the stream are in the record, as `hvc1` requires.
  public var isComplete = true
  /// Whether SEI messages with user data are kept, such as an encoder's settings or captions.
  public var keepsUserData = false
  /// The frames in 256 seconds, if the file has better information than the stream's clock.
  public var averageFrameRate: UInt16?
  /// The limits on the cost of parsing the sets.
  public var limits = Limits()

  /// Creates a builder of complete records with lengths of four bytes.
  public init() {}

  /// The records of a stream.
  public struct Result: Sendable {
    /// The record of the base layer.
    public var record: DecoderConfigurationRecord
    /// The record of the layers above the base layer; `nil` if there are none.
    public var layered: LayeredDecoderConfigurationRecord?
    /// Descriptions of the NAL units that were omitted from the record.
    public var leftOut: [String]
  }

  /// Returns the record of a stream with these NAL units: parameter sets and SEI messages in any order, without start
  /// codes.
  public func record(of nalUnits: [[UInt8]]) throws(SyntaxError) -> Result {
    guard [1, 2, 4].contains(lengthSize) else {
      throw DecoderConfigurationRecord.refusal(
        "lengthSizeMinusOne", "is \(lengthSize - 1), allowed are 0, 1 and 3")
    }
    let headers = StreamHeaders(nalUnits, limits: limits)
    if let unread = headers.unread.first {
      throw DecoderConfigurationRecord.refusal(
        unread.header.nalUnitType.name, "cannot be read: \(unread.failure)")
    }
    var leftOut: [String] = headers.others.map { nalUnit in
      let name = NALUnitHeader(of: nalUnit)?.nalUnitType.name ?? "a NAL unit without a header"
      return "\(name) of \(nalUnit.count) bytes cannot be stored in a record"
    }
    let videos = try distinct(headers.videos, &leftOut)
    let sequences = try distinct(headers.sequences, &leftOut)
    let pictures = try distinct(headers.pictures, &leftOut)
    let messages = try declarative(headers.messages, &leftOut)
    for (name, base) in [("VPS", videos), ("SPS", sequences), ("PPS", pictures)]
    where !base.contains(where: \.isBase) {
      throw DecoderConfigurationRecord.refusal(name, "is missing for the base layer")
    }

    var record = try DecoderConfigurationRecord(describing: headers)
    record.lengthSizeMinusOne = UInt8(lengthSize - 1)
    if let averageFrameRate { record.avgFrameRate = averageFrameRate }
    record.arrays = arrays([videos, sequences, pictures, messages].map { $0.filter(\.isBase) })
    var result = Result(record: record, layered: nil, leftOut: leftOut)
    let upper = [videos, sequences, pictures, messages].map { $0.filter { !$0.isBase } }
    if upper.contains(where: { !$0.isEmpty }) {
      var layered = LayeredDecoderConfigurationRecord(describing: headers)
      layered.lengthSizeMinusOne = record.lengthSizeMinusOne
      layered.arrays = arrays(upper)
      result.layered = layered
    }
    return result
  }

  /// A NAL unit to be stored in the record.
  private struct Kept: Hashable {
    var header: NALUnitHeader
    var bytes: [UInt8]
    var isBase: Bool { header.nuhLayerID == 0 }
  }

  /// Returns each set once; throws if two sets with the same ID differ.
  private func distinct<Payload: ParameterSet>(
    _ entries: [StreamHeaders.Entry<Payload>], _ leftOut: inout [String]
  ) throws(SyntaxError) -> [Kept] {
    var kept: [(id: UInt8, unit: Kept)] = []
    for entry in entries {
      let id = entry.payload.id
      let layer = entry.header.nuhLayerID
      let name = "\(Payload.shortName) \(id)" + (layer == 0 ? "" : " of layer \(layer)")
      guard let known = kept.first(where: { $0.id == id && $0.unit.header.nuhLayerID == layer })
      else {
        guard entry.bytes.count <= UInt16.max else {
          throw DecoderConfigurationRecord.refusal(
            name, "has \(entry.bytes.count) bytes, a record holds at most 65535")
        }
        kept.append((id, Kept(header: entry.header, bytes: entry.bytes)))
        continue
      }
      guard known.unit.bytes == entry.bytes else {
        throw DecoderConfigurationRecord.refusal(
          name,
          "is given twice with different contents: \(Self.words(known.unit.bytes)) and \(Self.words(entry.bytes))"
        )
      }
      leftOut.append("\(name) is given more than once; it is kept once")
    }
    return kept.map(\.unit)
  }

  private static func words(_ bytes: [UInt8]) -> String {
    "\(bytes.count) bytes " + bytes.prefix(24).hexadecimal() + (bytes.count > 24 ? "…" : "")
  }

  private func arrays(_ kinds: [[Kept]]) -> [NALUnitArray] {
    kinds.flatMap { kind -> [NALUnitArray] in
      let types = Set(kind.map(\.header.nalUnitType.rawValue)).sorted()
      return types.map { type in
        var array = NALUnitArray()
        array.nalUnitType = type
        // Only parameter sets can be guaranteed to be complete (8.4.1.1.2).
        array.arrayCompleteness =
          isComplete && NALUnitType(fieldBits: UInt64(type)).isParameterSet
        array.nalUnits = kind.filter { $0.header.nalUnitType.rawValue == type }.map(\.bytes)
        return array
      }
    }
  }
}

// MARK: - SEI messages

extension RecordBuilder {
  /// The types of messages that describe the stream as a whole; only these may be in a record.
  public static let declarativePayloadTypes: Set<UInt32> = [
    4, 5, 19, 22, 45, 47, 137, 138, 144, 147, 148, 149, 150, 151, 152, 154, 155, 165, 176, 177,
    178, 179, 180, 200, 201,
  ]
  private static let userDataTypes: Set<UInt32> = [4, 5]

  private func declarative(
    _ entries: [StreamHeaders.Entry<SupplementalInformation>], _ leftOut: inout [String]
  ) throws(SyntaxError) -> [Kept] {
    var kept: [Kept] = []
    for entry in entries {
      let wanted = entry.payload.messages.filter { belongs($0, &leftOut) }
      guard !wanted.isEmpty else { continue }
      var unit = Kept(header: entry.header, bytes: entry.bytes)
      if wanted.count < entry.payload.messages.count {
        var payload = entry.payload
        payload.messages = wanted
        unit.bytes = try NALUnit(entry.header, payload).bytes()
      }
      if !kept.contains(unit), unit.bytes.count <= UInt16.max { kept.append(unit) }
    }
    return kept
  }

  private func belongs(_ message: SEIMessage, _ leftOut: inout [String]) -> Bool {
    if Self.userDataTypes.contains(message.payloadType) {
      if !keepsUserData { leftOut.append("SEI \(message.name) is user data, not asked for") }
      return keepsUserData
    }
    let isDeclarative = Self.declarativePayloadTypes.contains(message.payloadType)
    if !isDeclarative {
      leftOut.append("SEI \(message.name) speaks of single pictures and stays with them")
    }
    return isDeclarative
  }
}

extension NALUnitType {
  /// Whether this is a video, sequence or picture parameter set.
  public var isParameterSet: Bool { self == .vps || self == .sps || self == .pps }
}
