// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusFacts
public import ISOBMFF

/// Gathers the data for the drawings from the samples of a movie's tracks, while their facts are gathered.
public final class TrackSurvey: SampleObserver {
  /// The data of one track.
  struct Walk {
    fileprivate(set) var lane: MapBuilder.Lane
    /// The offset of the first sample.
    fileprivate(set) var first: Range<Int>?
    /// The reason why the samples end early.
    fileprivate(set) var error: SyntaxError?
    private var builder: TimelineBuilder
    private var types: TypeReader
    private let fileEnd: Int

    fileprivate init(_ track: Track, isVideo: Bool, in source: any ByteSource) {
      fileEnd = source.count
      lane = MapBuilder.Lane(fileSize: fileEnd)
      builder = TimelineBuilder(
        "", isVideo: isVideo, timescale: track.timescale, anchor: track.path.asIdentifier)
      types = TypeReader(track, in: source)
    }

    func timeline(_ name: String) -> Timeline {
      var timeline = builder.finished(pictures: types.pictures)
      timeline.name = name
      return timeline
    }

    fileprivate mutating func add(_ run: SampleRun) {
      let sample = run.first
      if first == nil { first = sample.range }
      let range = run.range
      lane.add(range.lowerBound..<min(range.upperBound, max(fileEnd, range.lowerBound)))
      builder.add(
        size: sample.size, time: sample.decodeTime, delay: sample.compositionOffset,
        duration: sample.duration, isKey: sample.isSync, offset: sample.offset,
        type: types.next(sample), count: run.count)
    }
  }

  private(set) var walks: [Walk] = []
  private let source: any ByteSource

  /// - Parameter source: the file of the tracks.
  public init(_ source: any ByteSource) { self.source = source }

  /// Begins the data of a track.
  public func begin(_ track: Track, isVideo: Bool) {
    walks.append(Walk(track, isVideo: isVideo, in: source))
  }

  /// Adds samples to the current track.
  public func add(_ runs: [SampleRun]) {
    guard var walk = walks.popLast() else { return }
    for run in runs { walk.add(run) }
    walks.append(walk)
  }

  /// Ends the current track.
  public func end(_ error: SyntaxError?) {
    if !walks.isEmpty { walks[walks.count - 1].error = error }
  }
}
