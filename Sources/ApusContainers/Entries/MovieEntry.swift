// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
package import ApusSamples
package import HEVC
package import ISOBMFF

/// A format that becomes a sample entry, together with the facts that only its samples provide.
package struct MovieEntry: Sendable {
  let format: CodedTrack.Format
  /// Whether any sample has this format.
  private(set) var isUsed = false
  /// Whether samples contain parameter sets that differ from those of the record.
  private(set) var hasOtherSets = false
  /// The first sample, which provides the facts that codecs without a configuration leave open.
  private(set) var first: Extent?
  /// The parameter sets of the record, once a sample has some.
  private var sets: Set<ArraySlice<UInt8>>?

  init(_ format: CodedTrack.Format) { self.format = format }

  /// Returns the reason why no movie can hold the track, as text that follows its name, or `nil`.
  package static func refusal(
    of track: CodedTrack, in style: MovieStyle = .mp4, headers: HeadersReader = HeadersReader()
  ) -> String? {
    do {
      if !isKnown(track, in: style), let kept = try KeptEntry(track.format, of: track) {
        return kept.refusal(in: style)
      }
    } catch {
      return MediaError(error).detail
    }
    let refusal = refusalOfCodec(of: track, in: style)
    if let reason = refusal ?? track.loneEnhancementLayer { return reason }
    let entry = MovieEntry(track.format)
    guard !entry.needsSample else { return nil }
    do {
      _ = try entry.node(of: track, in: style, headers: headers)
      return nil
    } catch {
      return MediaError(error).detail
    }
  }

  /// Returns the reason why a track is not put into files that players in general should play, such as segments, or
  /// `nil`. Some of the codecs that movies can hold are known to editors, and hardly to any player.
  package static func refusalForPlayers(of track: CodedTrack) -> String? {
    if UncompressedSound(track) != nil || PCMForm(track) != nil {
      return "is uncompressed, which few players support"
    }
    if case .other(let code, _) = track.format, isRare(code) {
      return "has a codec that few players support"
    }
    return refusal(of: track)
  }

  private static func isRare(_ code: FourCC) -> Bool {
    isPictures(code, in: .quickTime) || ["vp08", ".mp2", "dtsc", "mlpa"].contains(code)
  }

  /// Whether the sample entry needs facts that only the first sample provides.
  private var needsSample: Bool {
    switch format {
    case .other(let code, let config):
      [".mp3", ".mp2", "dtsc", "mlpa"].contains(code) || VideoEntry.numbered.contains(code)
        || ["ac-3", "ec-3"].contains(code) && config.isEmpty
    case .hevc, .avc, .aac: false
    }
  }

  /// Returns whether a sample entry can be made, whatever the input had.
  private static func isKnown(_ track: CodedTrack, in style: MovieStyle) -> Bool {
    refusalOfCodec(of: track, in: style) == nil
  }

  private static func refusalOfCodec(of track: CodedTrack, in style: MovieStyle) -> String? {
    switch (track.kind, track.format) {
    case (.video, .hevc), (.video, .avc), (.audio, .aac): nil
    case (.video, .other(let code, let config)):
      if ["av01", "vp09", "vp08", "vvc1"].contains(code) {
        config.isEmpty ? "has no configuration" : nil
      } else if isPictures(code, in: style) {
        nil
      } else {
        isPictures(code, in: .quickTime)
          ? "has a sample entry that only QuickTime files (mov) support"
          : "has no known sample entry"
      }
    case (.audio, .other(let code, let config)):
      switch code {
      case ".mp3", ".mp2", "ac-3", "ec-3", "dtsc", "mlpa": nil
      case "Opus", "fLaC", "alac": config.isEmpty ? "has no configuration" : nil
      default: UncompressedSound(track) == nil ? "has no known sample entry" : nil
      }
    case (.subtitle, .other(TimedTextTrack.type, _)): nil
    case (.subtitle, _), (.timecode, _), (.data, _): "has no known sample entry"
    default: "is not a format of its kind"
    }
  }

  /// Returns whether these pictures have a sample entry that needs no configuration.
  private static func isPictures(_ code: FourCC, in style: MovieStyle) -> Bool {
    VideoEntry.numbered.contains(code) || style == .quickTime && VideoEntry.editors.contains(code)
  }

  /// The number of bytes in the length before each NAL unit; `nil` where samples are not made of NAL units.
  var lengthSize: Int? {
    switch format {
    case .hevc, .avc: format.lengthSize
    case .aac, .other: nil
    }
  }

  /// Records a sample and returns what is written of it: parameter sets that repeat the record are removed, as `hvc1`
  /// requires, until different ones come, as `hev1` allows.
  ///
  /// - Parameter hasSets: whether it has parameter sets, where that is known.
  mutating func admit(_ payload: Extent, hasSets: Bool?) throws -> Extent {
    isUsed = true
    if first == nil { first = payload }
    guard !hasOtherSets, hasSets ?? true, case .hevc(let record) = format else { return payload }
    let heads: [LengthPrefixed.Head]
    do {
      heads = try LengthPrefixed.heads(in: payload, lengthSize: record.lengthSize)
    } catch {
      // A damaged sample is for the decoder to judge.
      guard error.kind != .io else { throw error }
      return payload
    }
    var cuts: [Range<Int>] = []
    for head in heads {
      guard NALUnitType(firstByte: head.first).isParameterSet else { continue }
      let start = payload.range.lowerBound
      let unit = start + head.range.lowerBound..<start + head.range.upperBound
      let known = sets ?? Set(record.arrays.flatMap(\.nalUnits).map(\.withoutTrailingZeros))
      sets = known
      guard known.contains(try payload.source.bytes(in: unit).withoutTrailingZeros) else {
        hasOtherSets = true
        return payload
      }
      cuts.append(unit.lowerBound - record.lengthSize..<unit.upperBound)
    }
    guard !cuts.isEmpty else { return payload }
    let rest = SplicedSource(payload, without: cuts)
    return Extent(rest, 0..<rest.count)
  }

  /// Returns the sample entry: the one of the movie that the samples came from, or a new one.
  ///
  /// - Parameter rate: the bit rate of the samples, where it is known.
  func node(
    of track: CodedTrack, in style: MovieStyle, rate: BitRate? = nil, headers: HeadersReader
  ) throws -> Node {
    let kept = try KeptEntry(format, of: track)
    let isKnown = Self.isKnown(track, in: style)
    if let kept, !isKnown { return try kept.node(in: style) }
    if track.kind == .video {
      if let kept, case .hevc = format {
        let record = try VideoEntry(self, of: track, headers).configuration().node
        return try kept.node(record, hasOtherSets: hasOtherSets, in: style)
      }
      if let kept, !kept.isRenamed(in: style) { return try kept.node(in: style) }
      return try VideoEntry(self, of: track, headers).node(in: style, rate)
    }
    if track.kind == .subtitle {
      return try kept?.node(in: style) ?? TimedTextTrack.entry(of: track)
    }
    // The two styles have different forms of sound.
    if let kept, track.details.movie?.isQuickTime == (style == .quickTime) {
      return try kept.node(in: style)
    }
    if let sound = UncompressedSound(track) { return try sound.node(in: style, track) }
    return try AudioEntry(self, of: track, in: style).node(in: style, rate)
  }

  func picture(of track: CodedTrack, headers: HeadersReader) throws -> PictureShape {
    try VideoEntry(self, of: track, headers).shape
  }

  /// Returns the duration for a sample whose own is unknown and cannot be derived from its neighbours.
  func typicalDuration(per timescale: UInt32, headers: HeadersReader) -> Int64? {
    switch format {
    case .hevc(let record):
      let read = headers.headers(of: record)
      guard let sequence = read.baseSequences.first,
        let rate = sequence.frameRate
          ?? read.sets.videos[sequence.spsVideoParameterSetID]?.frameRate,
        let frame = UInt32(exactly: rate.numerator), let units = Int64(exactly: rate.denominator)
      else { return nil }
      return RationalTime(units, per: frame).rounded(to: timescale)
    case .aac(let bytes): return AudioEntry.frameDuration(ofAAC: bytes, per: timescale)
    case .avc, .other: return nil
    }
  }
}
