// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// Finds video without a healthy movie, by parameter sets among its samples.
struct BareVideo {
  private var window: SearchWindow
  private let limits: Limits

  init(_ source: any ByteSource, limits: Limits) {
    window = SearchWindow(source)
    self.limits = limits
  }

  /// Returns the track that the first parameter sets describe; `nil` if there are none.
  mutating func track(at rate: FrameRate) throws -> RecoverableTrack? {
    var place = 0
    while place < window.count {
      let piece = try window.bytes(at: place, upTo: Self.piece + Self.overlap)
      for index in 0..<min(Self.piece, max(0, piece.count - Self.overlap)) {
        let first = piece[piece.startIndex + index + Self.lengthSize]
        let second = piece[piece.startIndex + index + Self.lengthSize + 1]
        guard let syntax = Self.syntax(first, second),
          let format = try format(at: place + index, syntax),
          let track = try track(format, at: place + index, rate)
        else { continue }
        return track
      }
      place += Self.piece
    }
    return nil
  }

  /// Returns the syntax of the parameter set with which a sequence may begin.
  private static func syntax(_ first: UInt8, _ second: UInt8) -> UnitSyntax? {
    if NALUnitHeader(first, second) == NALUnitHeader(.vps) { return .plainHEVC }
    let isSet = AVCNALUnitHeader(first).nalUnitType == .sps && first >= 0x20 && first < 0x80
    return isSet && AVCSequenceParameterSet.profiles.contains(second) ? .plainAVC : nil
  }

  /// Returns the format of the parameter sets from an offset; `nil` if they are not valid.
  private mutating func format(at offset: Int, _ syntax: UnitSyntax) throws -> CodedTrack.Format? {
    var units: [[UInt8]] = []
    var place = offset
    while units.count < Self.mostUnits,
      case .whole(let unit) = try CodedUnit.find(
        at: place, syntax, lengthSize: Self.lengthSize, most: Self.mostBytes, in: &window),
      !syntax.isPicture(unit.start)
    {
      // Messages are not needed in full.
      if syntax.isParameterSet(unit.start) { units.append(Array(unit.start)) }
      place = unit.range.upperBound
    }
    do {
      switch syntax {
      case .hevc: return .hevc(try InBandSets.record(of: units, at: offset))
      case .avc:
        var sets = AVCParameterSets()
        for unit in units { sets.add(unit) }
        return try sets.configuration().map { .avc(try $0.bytes()) }
      }
    } catch let error as SyntaxError where error.kind != .io {
      return nil
    }
  }

  /// Returns the track, if a picture follows its parameter sets.
  private mutating func track(_ format: CodedTrack.Format, at offset: Int, _ rate: FrameRate) throws
    -> RecoverableTrack?
  {
    guard let timescale = UInt32(exactly: rate.numerator),
      let duration = Int64(exactly: rate.denominator)
    else {
      throw MediaError(
        .unsupported, of: .part("frame rate"), "is beyond what times can hold")
    }
    guard
      let finder = try PictureFinder(format, mostUnitBytes: Self.mostBytes, limits: limits),
      try finder.picture(at: offset, in: &window) != nil
    else { return nil }
    var coded = CodedTrack(.video, format, timescale: timescale)
    switch format {
    case .hevc(let record):
      let headers = StreamHeaders(record)
      if let sequence = headers.baseSequences.first {
        let size = sequence.displaySize ?? sequence.format.codedSize
        (coded.width, coded.height) = (size.width, size.height)
      }
      coded.picture.complete(from: headers)
    case .avc(let bytes):
      if let sequence = AVCSequenceParameterSet(firstOf: bytes) {
        (coded.width, coded.height) = (max(0, sequence.width), max(0, sequence.height))
      }
      coded.picture.complete(fromAVC: bytes)
    case .aac, .other: break
    }
    return RecoverableTrack(
      coded: coded, structure: .pictures(finder), rate: SampleRate(duration: duration))
  }

  private static let lengthSize = 4
  private static let mostUnits = 64
  private static let mostBytes = 1 << 26
  private static let piece = 1 << 16
  private static let overlap = lengthSize + 2
}
