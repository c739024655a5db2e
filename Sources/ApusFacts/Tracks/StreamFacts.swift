// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
internal import ApusSamples
public import HEVC

/// The facts about a bare HEVC stream (Annex B), which is read completely, piece by piece.
public struct StreamFacts: Sendable {
  /// The codec; `nil` if no sequence parameter set was found: then it may be H.264.
  public var codec: String?
  /// The facts about the pictures; `nil` if no sequence parameter set was found.
  public var video: VideoFacts?
  /// The frame rate that the parameter sets contain; `nil` if they contain none.
  public var frameRate: FrameRate?
  /// The size of all NAL units in bytes, without start codes.
  public var bytes = 0
  /// The number of NAL units of each type.
  public var nalUnits: [NALUnitType: Int] = [:]
  /// The numbers of pictures by slice type.
  public var pictures = PictureCounts()
  /// The number of random access pictures.
  public var keyCount = 0
  /// The most pictures from one random access picture to the next.
  public var longestGroup = 0
  /// The size of the largest picture in bytes.
  public var largestPicture = 0
  /// The reason why the Dolby Vision of the pictures is not reported, as text; `nil` if it is, or there is none.
  public var doubt: String?
  /// The signs that pictures or parts of them are missing, as text.
  public var damage: [String] = []

  init(of source: any ByteSource, limits: Limits = Limits()) throws(SyntaxError) {
    var sequence: SequenceParameterSet?
    var described: [[UInt8]] = []
    var vision: [[UInt8]] = []
    var lastKey = 0
    var facts = StreamFacts()
    var check = AccessUnitCheck(limits: limits)
    try StreamPictures.forEach(in: source, limits: limits) { nalUnit in
      facts.bytes += nalUnit.count
      check.add(nalUnit)
      guard let header = NALUnitHeader(of: Array(nalUnit.prefix(NALUnitHeader.size))) else {
        return
      }
      facts.nalUnits[header.nalUnitType, default: 0] += 1
      guard header.nuhLayerID == 0, facts.pictures.total == 0 else { return }
      switch header.nalUnitType {
      case .vps where facts.frameRate == nil:
        facts.frameRate = NALUnit<VideoParameterSet>(Array(nalUnit)).payload?.frameRate
      case .sps where sequence == nil:
        sequence = NALUnit<SequenceParameterSet>(Array(nalUnit)).payload
        described.append(Array(nalUnit))
      case .prefixSEI where nalUnit.count < 1 << 16: described.append(Array(nalUnit))
      case .unspec62 where nalUnit.count < 1 << 16: vision.append(Array(nalUnit))
      case .unspec63: vision.append(Array(nalUnit.prefix(NALUnitHeader.size)))
      default: break
      }
    } picture: { picture in
      if picture.isKey {
        if facts.keyCount > 0 {
          facts.longestGroup = max(facts.longestGroup, facts.pictures.total - lastKey)
        }
        lastKey = facts.pictures.total
        facts.keyCount += 1
      }
      facts.pictures.add(picture)
      facts.largestPicture = max(facts.largestPicture, picture.size)
    }
    check.finish()
    facts.damage = check.words
    if facts.keyCount > 0 {
      facts.longestGroup = max(facts.longestGroup, facts.pictures.total - lastKey)
    }
    self = facts
    guard let sequence else { return }
    codec = sequence.codecString()
    frameRate = sequence.frameRate ?? frameRate
    let headers = StreamHeaders(described)
    var traits = PictureTraits()
    doubt = traits.completeDolbyVision(vision, headers, rate: frameRate?.framesPerSecond)
    video = VideoFacts(sequence, headers)
    video?.colour.add(traits, from: .vui)
  }

  private init() {}

  /// The duration in seconds, if the stream contains the duration of a picture.
  public var duration: Double? {
    frameRate.map { Double(pictures.total) / $0.framesPerSecond }
  }

  /// The average bit rate in bits per second; `nil` if the duration is unknown.
  public var bitRate: Double? {
    duration.flatMap { $0 > 0 ? Double(bytes) * 8 / $0 : nil }
  }

  /// The average number of pictures from one random access picture to the next; `nil` if there is none.
  public var groupLength: Double? {
    keyCount > 0 ? Double(pictures.total) / Double(keyCount) : nil
  }
}

/// The pictures of a bare HEVC stream.
public enum StreamPictures {
  /// Passes on every NAL unit, and every picture after its last NAL unit.
  public static func forEach(
    in source: any ByteSource, limits: Limits = Limits(),
    nalUnit visit: (ArraySlice<UInt8>) -> Void = { _ in }, picture: (FrameFacts) -> Void
  ) throws(SyntaxError) {
    var scanner = AnnexBScanner(limit: limits.bytes)
    var assembly = Assembly()
    func body(_ bytes: ArraySlice<UInt8>) throws(SyntaxError) {
      visit(bytes)
      if let complete = assembly.add(bytes) { picture(complete) }
    }
    try Extent(source, 0..<source.count).forEachPiece { piece throws(SyntaxError) in
      try scanner.append(piece, body)
    }
    try scanner.finish(body)
    if let last = assembly.picture { picture(last) }
  }

  /// The access unit that is being gathered.
  private struct Assembly {
    var boundary = AccessUnitBoundary()
    var sets = ParameterSets()
    var size = 0
    var picture: FrameFacts?

    /// Adds a NAL unit; returns the previous picture if it begins the next one.
    mutating func add(_ bytes: ArraySlice<UInt8>) -> FrameFacts? {
      var complete: FrameFacts?
      if boundary.begins(bytes) {
        complete = picture
        picture = nil
        size = 0
      }
      size += bytes.count
      let prefix = Array(bytes.prefix(SliceSegmentHeader.startLength))
      guard let header = NALUnitHeader(of: prefix) else { return complete }
      if (32...34).contains(header.nalUnitType.rawValue), bytes.count <= 1 << 16 {
        sets.add(nalUnit: Array(bytes))
      }
      if header.nalUnitType.isVCL {
        var current = picture ?? FrameFacts(size: 0, isKey: header.nalUnitType.isIRAP)
        current.add(header, prefix, sets)
        picture = current
      }
      picture?.size = size
      return complete
    }
  }
}

// MARK: - Declaration

extension StreamFacts: Described {
  package static let title = "stream"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == StreamFacts {
    v.optional("codec", "The codec string.") { $0.codec }
    v.required("bytes", "The size of all NAL units without start codes, in bytes.") { $0.bytes }
    v.optional("bit_rate", "Bits per second.") { $0.bitRate }
    v.optionalFacts { $0.video }
    v.optionalFacts { $0.frameRate }
    v.required("nal_units", "The number of NAL units of each type.") { facts in
      FactCounts(
        facts.nalUnits.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.name, $0.value) })
    }
    v.required("pictures", "The number of pictures.") { $0.pictures.total }
    v.facts {
      PictureGroups(
        keys: $0.keyCount, average: $0.groupLength, longest: $0.longestGroup, types: $0.pictures)
    }
  }
}

extension FrameRate: Described {
  package static let title = "frame_rate"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == FrameRate {
    v.optional("frame_rate", "Frames per second.") { $0.framesPerSecond }
    v.required("frame_rate_fraction", "The exact frame rate: `30000/1001`.") {
      "\($0.numerator)/\($0.denominator)"
    }
  }
}
