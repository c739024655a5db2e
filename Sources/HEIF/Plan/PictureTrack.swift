// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// The frames of a track in display order.
struct PictureTrack {
  let track: Track
  let source: any ByteSource
  let limits: PlanLimits

  /// Returns the first track of pictures whose coding may be supported; an image sequence takes precedence over a
  /// video.
  static func first(in movie: Movie) -> Track? {
    let tracks = movie.tracks.span
    for handler: FourCC in ["pict", "vide"] {
      for index in tracks.indices
      where tracks[index].handler == handler && !tracks[index].sampleEntries.isEmpty {
        return tracks[index]
      }
    }
    return nil
  }

  /// A frame with its possible reference samples.
  struct Frame {
    /// The samples in decoding order, ending with the frame itself.
    var samples: [TrackSample] = []
  }

  /// Returns the number of displayed frames.
  func count() throws(SyntaxError) -> Int { try shown().count }

  /// Returns the indices of the displayed samples, in display order.
  private func shown() throws(SyntaxError) -> [Int] {
    let edits = try EditedTime(track)
    var times: [(time: Int64, index: Int)] = []
    // A few bytes can announce any number of empty samples; real ones need more bytes.
    let (most, overflow) = limits.extents.addingReportingOverflow(source.count / 16)
    var count = 0
    var cursor = track.samples()
    while let sample = try cursor.next() {
      try check(sample)
      count += 1
      guard overflow || count <= most else {
        throw SyntaxError(
          .limit, field: "trak", path: track.path, offset: track.located.node.start,
          detail: "has more than \(most) samples, the limit extents is \(limits.extents)")
      }
      if edits.shows(sample) { times.append((sample.compositionTime, sample.index)) }
    }
    return times.sorted { ($0.time, $0.index) < ($1.time, $1.index) }.map(\.index)
  }

  private func check(_ sample: TrackSample) throws(SyntaxError) {
    guard sample.offset >= 0, sample.size >= 0, sample.offset <= source.count,
      sample.size <= source.count - sample.offset
    else {
      throw SyntaxError(
        .truncated, field: "sample \(sample.index)", path: track.path, offset: sample.offset,
        detail: "has \(sample.size) bytes, but the file ends at \(source.count)")
    }
  }

  /// Returns the error for a missing frame, because the index is too large or the file has none.
  static func absence(of index: Int, in track: Track, showing count: Int) -> SyntaxError {
    SyntaxError(
      count == 0 ? .invalid : .misuse, field: "frame \(index)", path: track.path,
      offset: track.located.node.start,
      detail: count == 0
        ? "does not exist: the track has no frames"
        : "does not exist: the track has \(count) frames, counted from 0")
  }

  /// - Parameter isLeading: returns whether a sample depends on data before the preceding sync sample.
  func frame(_ index: Int, isLeading: (TrackSample) throws(SyntaxError) -> Bool)
    throws(SyntaxError) -> Frame
  {
    let order = try shown()
    guard order.indices.contains(index) else {
      throw Self.absence(of: index, in: track, showing: order.count)
    }
    var frame = Frame()
    /// The samples before the last sync sample, starting with the previous sync sample.
    var earlier: [TrackSample] = []
    var cursor = track.samples()
    while let sample = try cursor.next() {
      if sample.isSync || frame.samples.isEmpty {
        earlier = frame.samples
        frame.samples = []
      }
      frame.samples.append(sample)
      if sample.index == order[index] { break }
    }
    guard let last = frame.samples.last, frame.samples.count > 1, try isLeading(last) else {
      return frame
    }
    frame.samples = earlier + frame.samples
    return frame
  }
}

/// The media time that an edit list presents: ISO/IEC 14496-12, 8.6.6.
private struct EditedTime {
  /// The disjoint spans of media time in ascending order; `nil` for everything.
  private var spans: [Range<Double>]?

  init(_ track: Track) throws(SyntaxError) {
    let edits = try track.edits().filter { $0.mediaTime >= 0 }
    guard !edits.isEmpty, track.movieTimescale > 0, track.timescale > 0 else { return }
    let scale = Double(track.timescale) / Double(track.movieTimescale)
    var spans: [Range<Double>] = []
    for edit in edits.sorted(by: { $0.mediaTime < $1.mediaTime }) {
      let start = Double(edit.mediaTime)
      // A duration of 0 means everything, in fragmented files and in files from cameras.
      let end = edit.segmentDuration == 0 ? .infinity : start + Double(edit.segmentDuration) * scale
      if let last = spans.last, start <= last.upperBound {
        spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else {
        spans.append(start..<end)
      }
    }
    self.spans = spans
  }

  func shows(_ sample: TrackSample) -> Bool {
    guard let spans else { return true }
    let start = Double(sample.compositionTime)
    let end = start + max(Double(sample.duration), 1)
    // The first span that ends after the sample begins.
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].upperBound > start { high = middle } else { low = middle + 1 }
    }
    return low < spans.count && spans[low].lowerBound < end
  }
}
