// SPDX-License-Identifier: MIT

internal import AVC
public import Bytes
public import Flow
internal import HEVC
internal import ISOBMFF
internal import Media

/// Writes the samples of one HEVC or AVC track as a byte stream (ITU-T H.265 and H.264, Annex B), its
/// parameter sets before each random access picture that does not bring its own, those of layers above the base too;
/// messages of its configuration once.
public struct AnnexBOutput<Sink: ByteSink>: SampleOutput {
  public private(set) var sink: Sink
  private let track: Int
  /// The track, with what its movie says of layers above the base.
  private let described: CodedTrack
  private var format: CodedTrack.Format
  private var sets: [[UInt8]]
  /// The parameter sets of the layers above the base.
  private var upperSets: [[UInt8]]
  private let isLive: Bool

  /// Returns the track that is written; `nil` where none can be.
  public static func choice(of tracks: [CodedTrack]) -> Int? {
    tracks.firstIndex { track in
      switch track.format {
      case .hevc, .avc: track.kind == .video
      case .aac, .other: false
      }
    }
  }

  /// - Parameter isLive: whether someone waits for each picture.
  public init(_ tracks: [CodedTrack], to sink: Sink, isLive: Bool = false) throws {
    self.isLive = isLive
    guard let track = Self.choice(of: tracks) else {
      throw MediaError(.misuse, of: .part("tracks"), "hold no HEVC or AVC video for a byte stream")
    }
    self.track = track
    self.sink = sink
    format = tracks[track].format
    described = tracks[track]
    sets = try Self.sets(of: format)
    upperSets = try UpperLayers.sets(of: described, format)
  }

  public mutating func add(_ event: SourceEvent) throws {
    switch event {
    case .format(track, let changed):
      format = changed
      sets = try Self.sets(of: changed)
      upperSets = try UpperLayers.sets(of: described, changed)
    case .sample(let sample) where sample.track == track: try add(sample)
    default: break
    }
  }

  public mutating func finish() throws {}

  private mutating func add(_ sample: CodedSample) throws {
    let bytes = try sample.payload.bytes()
    var units = try LengthPrefixed.nalUnits(in: bytes, lengthSize: format.lengthSize)
    units.removeAll(where: \.isEmpty)
    if !upperSets.isEmpty { units = UpperLayers.asByteStream(units) }
    if sample.isSync, !units.contains(where: isSequenceSet) {
      let delimiters = units.prefix(while: isDelimiter).count
      let missing = sets.filter { !units.contains($0) }
      units.insert(contentsOf: missing, at: delimiters)
      sets = sets.filter(isParameterSet)
    }
    if sample.isSync, !upperSets.isEmpty {
      // They refer to the video parameter set, which is among those of the base.
      let beginning = units.prefix { isDelimiter($0) || isParameterSet($0) }.count
      units.insert(contentsOf: upperSets.filter { !units.contains($0) }, at: beginning)
    }
    var stream: [UInt8]
    if case .hevc = format {
      stream = AnnexB.bytes(of: units)
    } else {
      stream = []
      for unit in units { stream += [0, 0, 0, 1] + unit }
    }
    try sink.append(stream.span)
    if isLive { try sink.passOn() }
  }

  private func isSequenceSet(_ unit: [UInt8]) -> Bool {
    if case .hevc = format {
      guard let header = NALUnitHeader(of: unit) else { return false }
      return header.nalUnitType == .sps && header.nuhLayerID == 0
    }
    return unit.avcNALUnitType == .sps
  }

  private func isParameterSet(_ unit: [UInt8]) -> Bool {
    guard case .hevc = format else { return true }
    return NALUnitHeader(of: unit)?.nalUnitType.isParameterSet ?? false
  }

  private func isDelimiter(_ unit: [UInt8]) -> Bool {
    if case .hevc = format { return NALUnitHeader(of: unit)?.nalUnitType == .aud }
    return unit.avcNALUnitType == .delimiter
  }

  private static func sets(of format: CodedTrack.Format) throws -> [[UInt8]] {
    switch format {
    case .hevc(let record): return record.arrays.flatMap(\.nalUnits)
    case .avc(let bytes): return try AVCConfiguration(bytes).parameterSets
    case .aac, .other: return []
    }
  }
}
