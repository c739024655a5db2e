// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC
internal import ISOBMFF

/// The parameter sets in the samples of a track. Of each sample, only the headers of NAL units and the sets are read.
struct SampleSets {
  /// A set, with the first sample that contains it.
  struct Found {
    var bytes: [UInt8]
    var sample: Int
    var name: String
  }

  /// The number of sample bytes that may still be read. An empty sample counts as one.
  struct Walk {
    private var bytesLeft: Int
    private let limits: Limits

    init(through source: any ByteSource, _ limits: Limits) {
      self.limits = limits
      let (most, overflow) = source.count.multipliedReportingOverflow(by: max(1, limits.growth))
      bytesLeft = overflow ? .max : most
    }

    mutating func spend(_ sample: TrackSample) throws(SyntaxError) {
      bytesLeft -= max(1, sample.range.count)
      guard bytesLeft >= 0 else {
        throw SyntaxError(
          .limit, field: "sample \(sample.index)", offset: sample.offset,
          detail: "overlaps others: together they have more bytes than the limit growth of "
            + "\(limits.growth) times the file")
      }
    }
  }

  /// The position of every set, including the length before the NAL unit.
  private(set) var units: [BoxEditor.SamplePiece] = []
  /// The distinct sets, in sample order.
  private(set) var distinct: [Found] = []
  /// The number of the first sample with sets, from 1.
  var firstSample: Int { (units.first?.sample ?? 0) + 1 }

  init(
    of track: Track, _ description: TrackSampleEntry, _ record: DecoderConfigurationRecord,
    in source: any ByteSource, _ walk: inout Walk
  ) throws(EditError) {
    let lengthSize = Int(record.lengthSizeMinusOne) + 1
    do throws(SyntaxError) {
      var known: Set<[UInt8]> = []
      var samples = track.samples()
      while let sample = try samples.next() {
        try walk.spend(sample)
        guard sample.descriptionIndex == description.index else { continue }
        try look(through: sample, lengthSize, source, &known)
      }
    } catch {
      throw .refused(
        path: description.path, reason: "the samples cannot be read: \(error)")
    }
  }

  private mutating func look(
    through sample: TrackSample, _ lengthSize: Int, _ source: any ByteSource,
    _ known: inout Set<[UInt8]>
  ) throws(SyntaxError) {
    var (place, end, kept) = (sample.offset, sample.range.upperBound, 0)
    let first = units.count
    while place < end {
      guard place + lengthSize + NALUnitHeader.size <= end else {
        throw failure(sample, at: place, "ends inside a NAL unit")
      }
      let head = try source.bytes(in: place..<place + lengthSize + NALUnitHeader.size)
      let length = Int(bigEndianBytes: head.prefix(lengthSize))
      let next = place + lengthSize + length
      guard length >= NALUnitHeader.size, next <= end else {
        throw failure(
          sample, at: place, "has a NAL unit of \(length) bytes, but only \(end - place) are left")
      }
      let header = NALUnitHeader(head[lengthSize], head[lengthSize + 1])
      if header.nalUnitType.isParameterSet {
        units.append(.init(sample: sample.index, range: place..<next))
        let bytes = try source.bytes(in: place + lengthSize..<next)
        if known.insert(bytes).inserted {
          distinct.append(
            Found(bytes: bytes, sample: sample.index + 1, name: header.nalUnitType.setName))
        }
      } else {
        kept += 1
      }
      place = next
    }
    guard kept > 0 || units.count == first else {
      throw failure(sample, at: sample.offset, "contains only parameter sets")
    }
  }

  private func failure(_ sample: TrackSample, at offset: Int, _ detail: String) -> SyntaxError {
    SyntaxError(.invalid, field: "sample \(sample.index + 1)", offset: offset, detail: detail)
  }

  /// Returns the sets that a record lacks. Throws if one contradicts another with the same ID, because sets that change
  /// within the stream cannot be expressed in a record.
  func missing(from record: DecoderConfigurationRecord, _ path: String)
    throws(EditError) -> [Found]
  {
    let there = record.arrays.flatMap(\.nalUnits)
    var known = Dictionary(
      there.compactMap { set in Self.key(set).map { ($0, set) } },
      uniquingKeysWith: { first, _ in first })
    var missing: [Found] = []
    let equal = Set(there.map(\.withoutTrailingZeros))
    for set in distinct where !equal.contains(set.bytes.withoutTrailingZeros) {
      guard let key = Self.key(set.bytes) else {
        throw .refused(
          path: path, reason: "sample \(set.sample) holds a \(set.name) that cannot be read")
      }
      if let other = known.updateValue(set.bytes, forKey: key) {
        // The same set may occur with and without a zero byte after it.
        if other.withoutTrailingZeros == set.bytes.withoutTrailingZeros { continue }
        throw .refused(
          path: path,
          reason: "\(set.name) \(key.id) changes mid-stream, in sample \(set.sample); "
            + "a record can have only one with each id")
      }
      missing.append(set)
    }
    return missing
  }

  private struct Key: Hashable {
    var type: NALUnitType
    var layer: UInt8
    var id: UInt8
  }

  private static func key(_ set: [UInt8]) -> Key? {
    guard let header = NALUnitHeader(of: set) else { return nil }
    let headers = StreamHeaders([set])
    let id =
      switch header.nalUnitType {
      case .vps: headers.videos.first?.payload.id
      case .sps: headers.sequences.first?.payload.id
      default: headers.pictures.first?.payload.id
      }
    guard let id else { return nil }
    return Key(type: header.nalUnitType, layer: header.nuhLayerID, id: id)
  }
}
