// SPDX-License-Identifier: MIT

public import ApusBytes
public import HEVC
public import ISOBMFF

/// The properties of a track's samples according to their NAL unit headers; parameter sets are read, but pictures never
/// are.
public struct SampleScan: Sendable {
  /// The position of a finding in the samples.
  public struct Place: Hashable, Sendable {
    /// The index of the sample, from 0.
    public var sample: Int
    /// The offset of the NAL unit in the file.
    public var offset: Int
    /// The type of the NAL unit, or of the sample's picture; `nil` where there is none or it could not be read.
    public var type: NALUnitType?
  }

  /// A finding that may occur in many samples: the first position, and the number of occurrences.
  public struct Tally: Hashable, Sendable {
    /// The position of the first occurrence.
    public var first: Place
    /// The index of the last sample.
    public var last: Int
    /// The number of occurrences.
    public var count: Int

    init(first: Place, count: Int = 1) {
      self.first = first
      self.count = count
      last = first.sample
    }

    mutating func add(_ place: Place) {
      count += 1
      last = place.sample
    }
  }

  /// The number of scanned samples.
  public private(set) var samples = 0
  /// Whether further samples lie beyond the end of the file.
  public private(set) var isCutOff = false
  /// The size of all samples, in bytes.
  public private(set) var bytes = 0
  /// Samples with a duration of 2^31 units or more, which result from writing negative numbers.
  public private(set) var endless: Tally?
  /// Whether the file lists sync samples; if it does not, all samples are.
  public private(set) var hasSyncTable = false
  /// Whether further samples are not in the sample table.
  public private(set) var isFragmented = false
  /// The total duration of all samples, in media time.
  public private(set) var duration: Int64 = 0
  /// The units of media time per second.
  public private(set) var timescale: UInt32 = 0
  /// Whether all samples but the last have the same duration.
  public private(set) var isConstant = true
  private var firstDuration: Int64?
  private var lastDuration: Int64 = 0
  /// The NAL unit types that occur, with their first positions and numbers.
  public private(set) var types: [NALUnitType: Tally] = [:]
  /// The distinct parameter sets in the samples, with the first sample that contains each.
  public private(set) var sets: [(bytes: [UInt8], place: Place)] = []
  private var known: Set<[UInt8]> = []
  /// Samples marked as sync samples that do not begin with a random access picture.
  public private(set) var falseSync: Tally?
  /// Random access pictures that are not marked as sync samples.
  public private(set) var missedSync: Tally?
  /// Samples with inconsistent NAL unit lengths.
  public private(set) var badLengths: Tally?
  /// Samples without a picture of the base layer.
  public private(set) var noPicture: Tally?
  /// The properties of the first sample with a Dolby Vision reference processing unit.
  public private(set) var dolbyVision: DolbyVisionUnits?
  /// Samples without a reference processing unit.
  public private(set) var noDolbyVision: Tally?
  /// The highest `TemporalId` of any slice in the base layer.
  public private(set) var highestTemporalID: UInt8 = 0
  /// The highest `nuh_layer_id` of any NAL unit.
  public private(set) var highestLayerID: UInt8 = 0

  /// Scans the samples of one sample entry. Throws if the tables are contradictory or no sample is within the source.
  public init(
    _ track: Track, entry index: Int, lengthSize: Int, in source: any ByteSource
  ) throws(SyntaxError) {
    timescale = track.timescale
    let sizes = track.sampleTable?.box(at: "stsz", as: SampleSizes.self)?.sampleCount ?? 0
    isFragmented = track.sampleCount > sizes
    hasSyncTable = track.sampleTable?.child("stss") != nil
    var cursor = track.samples()
    while let sample = try cursor.next() {
      guard sample.descriptionIndex == index else { continue }
      // In a truncated file, only the samples within it are checked.
      if samples > 0, sample.offset >= 0, sample.offset > source.count - sample.size {
        isCutOff = true
        return
      }
      try add(sample, lengthSize, source)
    }
  }

  private mutating func add(_ sample: TrackSample, _ lengthSize: Int, _ source: any ByteSource)
    throws(SyntaxError)
  {
    guard sample.offset >= 0, sample.size >= 0, sample.offset <= source.count - sample.size else {
      throw SyntaxError(
        .truncated, field: "sample \(sample.index)", offset: sample.offset,
        detail: "has \(sample.size) bytes, but the file ends at byte \(source.count)")
    }
    samples += 1
    bytes &+= sample.size
    duration &+= sample.duration
    if sample.duration >= 1 << 31 {
      Self.count(&endless, Place(sample: sample.index, offset: sample.offset))
    }
    // The last sample often has the duration that fills the track.
    if let firstDuration, lastDuration != firstDuration { isConstant = false }
    if firstDuration == nil { firstDuration = sample.duration }
    lastDuration = sample.duration
    try walk(sample, lengthSize, source)
  }

  private mutating func walk(_ sample: TrackSample, _ lengthSize: Int, _ source: any ByteSource)
    throws(SyntaxError)
  {
    let end = sample.offset + sample.size
    var offset = sample.offset
    var picture: NALUnitType?
    var vision = DolbyVisionUnits()
    // Most NAL units that are not pictures are small, so that one read covers several headers.
    var window: [UInt8] = []
    var windowStart = offset
    while offset < end {
      let needed = lengthSize + NALUnitHeader.size
      guard end - offset >= needed else {
        Self.count(&badLengths, Place(sample: sample.index, offset: offset))
        return
      }
      if offset + needed > windowStart + window.count {
        windowStart = offset
        window = try source.bytes(in: offset..<min(offset + 96, end))
      }
      let head = window[(offset - windowStart)..<(offset - windowStart + needed)]
      let length = Int(bigEndianBytes: head.prefix(lengthSize))
      guard length >= NALUnitHeader.size, length <= end - offset - lengthSize else {
        Self.count(&badLengths, Place(sample: sample.index, offset: offset))
        return
      }
      let body = Array(head.suffix(NALUnitHeader.size))
      let header = NALUnitHeader(body[0], body[1])
      let start = offset + lengthSize
      let place = Place(sample: sample.index, offset: start, type: header.nalUnitType)
      types[header.nalUnitType, default: Tally(first: place, count: 0)].add(place)
      highestLayerID = max(highestLayerID, header.nuhLayerID)
      if header.nalUnitType.isVCL, header.nuhLayerID == 0 {
        picture = picture ?? header.nalUnitType
        highestTemporalID = max(highestTemporalID, header.temporalID)
      }
      if header.nalUnitType.isParameterSet, length <= 1 << 16 {
        let bytes = try source.bytes(in: start..<start + length)
        if known.insert(bytes).inserted { sets.append((bytes, place)) }
      }
      if header.nalUnitType == .unspec62 || header.nalUnitType == .unspec63 {
        // The content of an enhancement layer is not needed here.
        let isRPU = header.nalUnitType == .unspec62 && length <= 1 << 16
        let end = isRPU ? start + length : start + NALUnitHeader.size
        vision.add(dolbyVision == nil ? try source.bytes(in: start..<end) : body)
      }
      offset = start + length
    }
    if dolbyVision == nil, vision.count > 0 { dolbyVision = vision }
    if vision.count == 0 {
      Self.count(&noDolbyVision, Place(sample: sample.index, offset: sample.offset, type: picture))
    }
    judge(sample, picture)
  }

  private mutating func judge(_ sample: TrackSample, _ picture: NALUnitType?) {
    let place = Place(sample: sample.index, offset: sample.offset, type: picture)
    guard let picture else { return Self.count(&noPicture, place) }
    if sample.isSync, !picture.isIRAP { Self.count(&falseSync, place) }
    if !sample.isSync, picture.isIDR { Self.count(&missedSync, place) }
  }

  private static func count(_ tally: inout Tally?, _ place: Place) {
    if tally == nil { tally = Tally(first: place) } else { tally?.add(place) }
  }

  /// The frames per second, if all samples have the same duration.
  public var frameRate: FrameRate? {
    guard isConstant, samples > 1, let firstDuration, firstDuration > 0, timescale > 0 else {
      return nil
    }
    return FrameRate(UInt64(timescale), UInt64(firstDuration))
  }

  /// The total duration of all samples in seconds; `nil` for fewer than two.
  public var seconds: Double? {
    guard samples > 1, duration > 0, timescale > 0 else { return nil }
    return Double(duration) / Double(timescale)
  }

  /// The average number of frames per second.
  public var averageFrameRate: Double? { seconds.map { Double(samples) / $0 } }
}
