// SPDX-License-Identifier: MIT

public import ApusBytes
public import HEVC

/// Watches the parameter sets in key frames and makes a new record when they differ from the last one.
public struct ParameterSetTracker: Sendable {
  /// The record that applies to the last frame.
  public private(set) var record: DecoderConfigurationRecord
  private var current: [[UInt8]]

  /// Creates a tracker that begins with a record.
  public init(_ record: DecoderConfigurationRecord) {
    self.record = record
    current = record.arrays.flatMap(\.nalUnits)
  }

  var headers: StreamHeaders { StreamHeaders(record) }

  /// The identity of a parameter set: its type, layer and id.
  struct Key: Hashable {
    var type: NALUnitType
    var layer: UInt8
    var id: UInt8
  }

  /// Processes the sets and messages that precede a random access picture; returns whether the record had to change.
  public mutating func update(with nalUnits: [[UInt8]]) throws(SyntaxError) -> Bool {
    let isNew = nalUnits.contains { unit in
      guard NALUnitHeader(of: unit)?.nalUnitType.isParameterSet == true else { return false }
      return !current.contains { $0.withoutTrailingZeros == unit.withoutTrailingZeros }
    }
    guard isNew else { return false }
    let inBand = Self.keys(of: nalUnits)
    let known = Self.keys(of: current)
    let kept = known.filter { entry in
      entry.key.map { key in !inBand.contains { $0.key == key } } ?? true
    }.map(\.bytes)
    let given = inBand.filter { $0.key != nil }.map(\.bytes)

    var builder = RecordBuilder()
    builder.lengthSize = record.lengthSize
    builder.isComplete = false
    let built: DecoderConfigurationRecord
    do throws(SyntaxError) {
      built = try builder.record(of: given + kept).record
    } catch {
      // Sets of the old sequence may be incompatible with the new ones.
      guard Set(inBand.compactMap(\.key?.type)).count == 3 else { throw error }
      built = try builder.record(of: given).record
    }
    record = built
    current = built.arrays.flatMap(\.nalUnits)
    return true
  }

  static func keys(of nalUnits: [[UInt8]]) -> [(key: Key?, bytes: [UInt8])] {
    nalUnits.map { bytes in
      let headers = StreamHeaders([bytes])
      let layer = NALUnitHeader(of: bytes)?.nuhLayerID ?? 0
      if let set = headers.videos.first?.payload {
        return (Key(type: .vps, layer: layer, id: set.id), bytes)
      }
      if let set = headers.sequences.first?.payload {
        return (Key(type: .sps, layer: layer, id: set.id), bytes)
      }
      if let set = headers.pictures.first?.payload {
        return (Key(type: .pps, layer: layer, id: set.id), bytes)
      }
      return (nil, bytes)
    }
  }
}

extension DecoderConfigurationRecord {
  /// Returns the record without the messages in which encoders describe themselves: FFmpeg puts x265's two kilobytes of
  /// settings into every record.
  func withoutUserData() -> DecoderConfigurationRecord {
    var result = self
    result.arrays = arrays.compactMap { array in
      guard array.nalUnitType == NALUnitType.prefixSEI.rawValue else { return array }
      var array = array
      array.nalUnits = array.nalUnits.filter { unit in
        let headers = StreamHeaders([unit])
        guard let messages = headers.messages.first?.payload.messages else { return true }
        return messages.contains { ![4, 5].contains($0.payloadType) }
      }
      return array.nalUnits.isEmpty ? nil : array
    }
    return result
  }
}
