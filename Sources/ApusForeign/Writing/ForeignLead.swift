// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// The handling of times below 0 at the beginning of samples: sound that is only needed for decoding becomes a delay if
/// the container can store one; otherwise all times are shifted.
struct ForeignLead: Sendable {
  /// Units that are added to all times.
  let shift: Int64
  /// The number of samples of each track that should not be heard.
  let delays: [Int]

  /// The longest delay of a codec, in seconds.
  private static let longest: Int64 = 1

  /// - Parameters:
  ///   - samples: all samples that begin below 0, as far as they are known.
  ///   - unit: the units of the container per second.
  init(
    of samples: [CodedSample], _ tracks: [CodedTrack], in container: ForeignMuxer.Container,
    unit: UInt32
  ) {
    var earliest: [RationalTime?] = tracks.map { _ in nil }
    for sample in samples {
      // A transport stream has both times.
      let time = container == .mpegts ? sample.decodeTime : sample.presentationTime
      if earliest[sample.track].map({ time.isBefore($0) }) ?? true {
        earliest[sample.track] = time
      }
    }
    func isDelay(_ index: Int) -> Bool {
      tracks[index].kind == .audio
        && ForeignMuxer.holdsDelay(of: tracks[index].details.codec, in: container)
        && earliest[index].map { !$0.isBefore(RationalTime(-Self.longest, per: 1)) } ?? false
    }
    var shift: Int64 = 0
    for index in tracks.indices where !isDelay(index) {
      shift = max(shift, 0 &- (earliest[index]?.rounded(to: unit) ?? 0))
    }
    self.shift = shift
    delays = tracks.indices.map { index in
      guard isDelay(index), let time = earliest[index],
        let rest = time.adding(RationalTime(shift, per: unit)),
        let rate = UInt32(exactly: tracks[index].sampleRate), rate > 0,
        let samples = rest.rounded(to: rate), samples < 0
      else { return 0 }
      return Int(clamping: 0 - samples)
    }
  }
}
