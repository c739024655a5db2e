// SPDX-License-Identifier: MIT

public import Bytes
internal import Containers
internal import Files
internal import Flow
internal import ISOBMFF
public import Media

/// What a run that was killed left of a movie (`OUT.part`), of which another run keeps what is whole.
public struct KeptPart: Sendable {
  public let path: String
  /// Its samples, in its own times.
  let source: MovieSource
  /// The time of samples at which it begins.
  let origin: RationalTime
  /// The moments of each track of the source, in decoding order.
  private let moments: [[Moment]]

  private struct Moment: Sendable {
    var decoded: RationalTime
    /// The same of the last of many moments of sound.
    var last: RationalTime
    var shown: RationalTime
    var isSync: Bool
  }

  /// - Parameter origin: as the run that wrote it was given it.
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

  /// The place of a track in the movie that is written, from 0.
  func place(of track: Int) -> Int { Int(source.trackIDs[track]) - 1 }

  /// Returns the points at which tracks can go on, by their places; `nil` where no whole group of pictures is there.
  ///
  /// - Parameter coded: the places of those whose pictures are re-encoded.
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

  /// The last key frame such that all pictures that are decoded before it are shown before it and before all others.
  private static func entrance(of moments: [Moment]) -> TrackCut? {
    var latest: [RationalTime] = []
    for moment in moments {
      let last = latest.last ?? moment.shown
      latest.append(last.isBefore(moment.shown) ? moment.shown : last)
    }
    // Behind a picture that is shown after the key frame none comes that is shown before it.
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
  /// What is decoded before this is kept.
  var end: RationalTime
  /// When the last that is kept is decoded.
  var last: RationalTime?
  /// When the first picture is shown that is re-encoded.
  var shown: RationalTime
  /// How many samples are kept.
  var count: Int
}

extension CodedSample {
  /// When the last of the moments is decoded that it is, the first being so at a time.
  fileprivate func lastMoment(from time: RationalTime) throws -> RationalTime {
    guard count > 1, let duration else { return time }
    let unit = duration.value / Int64(count)
    return try time.later(by: RationalTime(duration.value - unit, per: duration.timescale))
  }
}
