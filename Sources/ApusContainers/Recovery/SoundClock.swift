// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusSamples

/// The sound as a clock for pictures whose rate is not constant: a camera writes both as they come, so the sound before
/// a chunk of pictures shows when the first of them was taken.
struct SoundClock: Sendable {
  /// The place of a chunk of pictures.
  struct Anchor: Sendable {
    /// The index of its first picture among all found.
    var picture: Int
    /// The number of samples of sound found before it.
    var sound: Int
  }

  /// Times of pictures.
  struct Times: Sendable {
    /// The indices of pictures, and the seconds from the moment at which the first is shown to that at which they are
    /// decoded.
    var pictures: [(index: Int, seconds: Double)]
    /// The most by which they are wrong, in seconds.
    var error: Double
  }

  /// The index of the track with the pictures.
  let pictures: Int
  /// The index of the track with the sound.
  let sound: Int
  /// The decoding time of the first picture of a chunk, counted from the moment at which the very first picture is
  /// shown, minus the end of the sound before it, in seconds.
  private let lead: Double
  /// The largest deviation of the healthy movie from these times, and from a constant rate, in seconds.
  let (error, rateError): (Double, Double)

  /// Returns `nil` if there are no pictures, or no sound.
  ///
  /// - Parameter chunks: the chunks of a healthy movie in the order of the file, with their times in seconds.
  init?(
    _ tracks: [RecoverableTrack], _ chunks: [(track: Int, count: Int, time: Double)]
  ) {
    guard let pictures = tracks.firstIndex(where: \.hasPictures),
      let sound = tracks.firstIndex(where: { $0.coded.kind == .audio })
    else { return nil }
    let timescale = Double(max(tracks[pictures].coded.timescale, 1))
    var counts = tracks.map { _ in 0 }
    var leads: [Double] = []
    var rateError = 0.0
    var last: Int?
    for chunk in chunks {
      if chunk.track == pictures, last != pictures {
        let expected = tracks[pictures].seconds(of: counts[pictures])
        rateError = max(rateError, (chunk.time - expected).magnitude)
        let shown = chunk.time - Double(tracks[pictures].lead) / timescale
        if counts[sound] > 0 { leads.append(shown - tracks[sound].seconds(of: counts[sound])) }
      }
      counts[chunk.track] += chunk.count
      last = chunk.track
    }
    let mean = leads.reduce(0, +) / Double(max(1, leads.count))
    (self.pictures, self.sound, lead) = (pictures, sound, mean)
    error =
      leads.count < Self.leastChunks
      ? .infinity : leads.reduce(0) { max($0, ($1 - mean).magnitude) }
    self.rateError = rateError
  }

  /// Whether the sound tells the times of pictures better than a constant rate does.
  var isBetter: Bool { error < rateError }

  /// Returns the times of pictures.
  ///
  /// - Parameter samples: the sound that was found.
  func times(
    of anchors: [Anchor], _ samples: [FoundSample], in track: RecoverableTrack
  ) -> Times {
    var (number, next) = (0, 0)
    let pictures = anchors.map { anchor in
      for sample in samples[next..<anchor.sound] { number += sample.lost + sample.count }
      next = anchor.sound
      return (anchor.picture, track.seconds(of: number) + lead)
    }
    return Times(pictures: pictures, error: error)
  }

  private static let leastChunks = 4
}

extension RecoverableTrack {
  /// Whether its samples are pictures.
  var hasPictures: Bool { if case .pictures = structure { true } else { false } }

  /// Returns the time of a sample by its number, at a constant rate.
  fileprivate func seconds(of number: Int) -> Double {
    rate.seconds(of: number, per: coded.timescale)
  }
}
