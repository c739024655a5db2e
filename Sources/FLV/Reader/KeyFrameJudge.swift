// SPDX-License-Identifier: MIT

public import ApusBytes
internal import HEVC

/// Determines at which frames a decoder can begin, from their NAL units; the tag is trusted only where there are none.
public struct KeyFrameJudge: Sendable {
  /// The number of bytes in the length before each NAL unit, by track; 4 unless a configuration gives another.
  private var lengthSizes: [(track: UInt8, size: Int)] = []

  /// Enough for the first slice of most frames.
  private static let glance = 64

  /// Creates a judge that assumes lengths of four bytes.
  public init() {}

  /// Returns the number of bytes in the length before each NAL unit of a track.
  public func lengthSize(of track: UInt8) -> Int {
    lengthSizes.first { $0.track == track }?.size ?? 4
  }

  /// Records a configuration.
  public mutating func configure(_ packet: Packet, _ record: Span<UInt8>) {
    switch packet.codec {
    case .hevc:
      guard record.count >= 23 else { return }
      var bytes: [UInt8] = []
      for index in 0..<23 { bytes.append(index == 22 ? 0 : record[index]) }
      let read = try? DecoderConfigurationRecord(bytes)
      set(read?.lengthSize ?? 4, of: packet.trackID)
    case .avc where record.count >= 5: set(Int(record[4] % 4) + 1, of: packet.trackID)
    default: break
    }
  }

  private mutating func set(_ size: Int, of track: UInt8) {
    lengthSizes.removeAll { $0.track == track }
    lengthSizes.append((track, size))
  }

  /// - Parameter tag: the tag with the packet, which must have been just read.
  public func isKey(_ packet: Packet, of tag: Tag, in reader: inout TagReader) throws(SyntaxError)
    -> Bool
  {
    let isSaid = packet.frameType == .key || packet.frameType == .generatedKey
    // In AVC, decoding can also begin at pictures other than IDR, which the NAL unit type does not show.
    guard packet.codec == .hevc || (packet.codec == .avc && !isSaid) else { return isSaid }
    let lengthSize = lengthSize(of: packet.trackID)
    let start = packet.data.lowerBound - tag.data.lowerBound
    let end = packet.data.upperBound - tag.data.lowerBound
    var limit = start + Self.glance
    while true {
      let (unit, isAll) = try reader.withData(of: tag, limit: limit) { data in
        let end = min(end, data.count)
        return (
          AccessUnit(
            packet.codec, data.extracting(min(start, end)..<end), lengthSize: lengthSize,
            isWhole: false), end >= packet.data.upperBound - tag.data.lowerBound
        )
      }
      if unit.firstPicture != nil || unit.isRandomAccess || isAll || unit.badLength == nil {
        return unit.isRandomAccess
      }
      limit = limit < 4096 ? 4096 : .max
    }
  }
}
