// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusContainers
internal import ApusFiles
public import ApusMedia
internal import ApusSamples
internal import ISOBMFF

/// The part of a movie (`OUT.part`) left by a run that was killed, of which another run keeps the complete groups of
/// pictures.
public struct KeptPart: Sendable {
  /// The path of the part, as passed to `init`.
  public let path: String
  /// Its samples, in its own times.
  let source: MovieSource
  /// The time of the samples at which it begins.
  let origin: RationalTime
  /// The moments of each track of the source, in decoding order.
  private let moments: [[Moment]]

  private struct Moment: Sendable {
    var decoded: RationalTime
    /// The decoding time of the last moment, if the sample holds many moments of sound.
    var last: RationalTime
    var shown: RationalTime
    var isSync: Bool
  }

  /// - Parameter origin: the origin that was given to the run that wrote it.
  public init(_ path: String, origin: RationalTime, limits: Limits = Limits()) throws {
    let file: FileSource
    file = try FileSource(path)
    guard file.claim() else {
      throw FileError("continue", path, reason: "another process is still writing it")
    }
    source = try MovieSource(file, limits: limits, isSalvaging: true)
    self.path = path
    self.origin = origin
    var moments: [[Moment]] = source.tracks.map { _ in [] }
    var ahead = source
    while let event = try ahead.next() {
      guard case .sample(let sample) = event else { continue }
      let decoded = try sample.decodeTime.later(by: origin)
      moments[sample.track].append(
        Moment(
          decoded: decoded, last: try sample.lastMoment(from: decoded),
          shown: try sample.presentationTime.later(by: origin), isSync: sample.isSync))
    }
    self.moments = moments
  }

  /// Returns the index of a track in the movie that is written, from 0.
  func place(of track: Int) -> Int { Int(source.trackIDs[track]) - 1 }

  /// Returns the points at which tracks can continue, by their indices; `nil` if there is no whole group of pictures.
  ///
  /// - Parameter coded: the indices of the tracks whose pictures are re-encoded.
  func cuts(coded: Set<Int>) -> [Int: TrackCut]? {
    var result: [Int: TrackCut] = [:]
    var earliest: RationalTime?
    for (track, moments) in moments.enumerated() where coded.contains(place(of: track)) {
      guard let cut = Self.entrance(of: moments) else { return nil }
      result[place(of: track)] = cut
      if earliest.map({ cut.end.isBefore($0) }) ?? true { earliest = cut.end }
    }
    guard let earliest, coded.allSatisfy({ result[$0] != nil }) else { return nil }
    for (track, moments) in moments.enumerated() where !coded.contains(place(of: track)) {
      let kept = moments.prefix { $0.decoded.isBefore(earliest) }
      result[place(of: track)] = TrackCut(
        end: earliest, last: kept.last?.last, shown: earliest, count: kept.count)
    }
    return result
  }

  /// Returns the last key frame such that all pictures decoded before it are shown before it and before all later ones.
  private static func entrance(of moments: [Moment]) -> TrackCut? {
    var latest: [RationalTime] = []
    for moment in moments {
      let last = latest.last ?? moment.shown
      latest.append(last.isBefore(moment.shown) ? moment.shown : last)
    }
    // No picture after one that is shown later than the key frame is shown before the key frame.
    var greatest: RationalTime?
    var first: RationalTime?
    for index in moments.indices.reversed() where index > 0 {
      let moment = moments[index]
      if first.map({ moment.shown.isBefore($0) }) ?? true { first = moment.shown }
      guard let first else { return nil }
      let isWhole = greatest.map { moment.shown.isBefore($0) } ?? false
      if moment.isSync, isWhole, latest[index - 1].isBefore(first) {
        return TrackCut(
          end: moment.decoded, last: moments[index - 1].last, shown: first, count: index)
      }
      if greatest.map({ $0.isBefore(moment.shown) }) ?? true { greatest = moment.shown }
    }
    return nil
  }
}

/// The point at which a track continues, in times of samples.
struct TrackCut: Hashable, Sendable {
  /// The decoding time before which samples are kept.
  var end: RationalTime
  /// The decoding time of the last sample that is kept.
  var last: RationalTime?
  /// The presentation time of the first picture that is re-encoded.
  var shown: RationalTime
  /// The number of samples that are kept.
  var count: Int
}

extension CodedSample {
  /// Returns the decoding time of the last of its moments of sound, given that of the first.
  fileprivate func lastMoment(from time: RationalTime) throws -> RationalTime {
    guard count > 1, let duration else { return time }
    let unit = duration.value / Int64(count)
    return try time.later(by: RationalTime(duration.value - unit, per: duration.timescale))
  }
}
