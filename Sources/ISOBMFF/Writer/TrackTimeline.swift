// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// The mapping of a track's times to those of the movie (`elst`): ISO/IEC 14496-12, 8.6.6.
struct TrackTimeline: Sendable {
  /// The media time at which the presentation of the track begins.
  var mediaStart: Int64 = 0
  /// The time before the track begins, in the movie's timescale.
  var delay: UInt64 = 0
  /// The presented duration of the track, in the movie's timescale; 0 in a fragmented file, in which it is unknown.
  var shown: UInt64 = 0
  /// Whether the presentation ends before the last sample does.
  var isCut = false

  /// An edit list to write instead.
  private(set) var list: [EditList.Edit]?

  var duration: UInt64 {
    list.map { $0.reduce(0) { $0 &+ $1.segmentDuration } } ?? delay + shown
  }

  /// Whether an edit list is needed.
  var hasEdits: Bool { mediaStart != 0 || delay > 0 || isCut || list != nil }

  /// Returns `edts`; `nil` if no edit list is needed.
  func edits() throws(SyntaxError) -> Node? {
    guard hasEdits else { return nil }
    if let list { return Node("edts", [Node("elst", try EditList(list))]) }
    var edits: [EditList.Edit] = []
    if delay > 0 {
      var edit = EditList.Edit()
      edit.segmentDuration = delay
      edit.mediaTime = -1
      edits.append(edit)
    }
    var edit = EditList.Edit()
    edit.segmentDuration = shown
    edit.mediaTime = mediaStart
    edits.append(edit)
    return Node("edts", [Node("elst", try EditList(edits))])
  }

  /// Adopts the edit list of another movie.
  ///
  /// - Parameters:
  ///   - mediaShift: the amount to add to a sample time to obtain a media time.
  ///   - origin: the start of the movie.
  ///   - timescale: the timescale of the movie.
  mutating func follow(
    _ edits: NewEdits, mediaShift: Int64, from origin: RationalTime, in timescale: UInt32
  ) throws(SyntaxError) {
    func failure() -> SyntaxError {
      SyntaxError(.misuse, field: "elst", detail: "has a time that is no number")
    }
    var result: [EditList.Edit] = []
    for var edit in edits.list {
      guard let length = Int64(exactly: edit.segmentDuration),
        let units = RationalTime(length, per: edits.movieTimescale).rounded(to: timescale)
      else { throw failure() }
      edit.segmentDuration = UInt64(max(0, units))
      if edit.mediaTime >= 0 {
        let (time, overflow) = edit.mediaTime.addingReportingOverflow(edits.shift)
        let (moved, beyond) = time.addingReportingOverflow(mediaShift)
        guard !overflow, !beyond else { throw failure() }
        edit.mediaTime = max(0, moved)
      }
      result.append(edit)
    }
    // Nothing is presented before the movie begins.
    guard let early = origin.rounded(to: timescale), early >= 0 else { return }
    var rest = UInt64(early)
    while rest > 0, let first = result.first, first.mediaTime == -1 {
      let cut = min(rest, first.segmentDuration)
      rest -= cut
      result[0].segmentDuration -= cut
      if result[0].segmentDuration == 0 { result.removeFirst() }
    }
    if rest == 0, !result.isEmpty { list = result }
  }

  /// Sets the end of the track although its samples are not known yet. If nothing would be left of it, all of it is
  /// presented.
  ///
  /// - Parameters:
  ///   - end: the end in sample times, like `origin`, at which the movie begins.
  ///   - timescale: the timescale of the movie.
  mutating func end(at end: RationalTime, from origin: RationalTime, in timescale: UInt32) {
    guard list == nil, let last = end.rounded(to: timescale),
      let first = origin.rounded(to: timescale),
      case (let length, false) = last.subtractingReportingOverflow(first),
      let whole = UInt64(exactly: length), whole > delay
    else { return }
    shown = whole - delay
    isCut = true
  }

  /// Returns the start of the movie: the earliest presentation time of any track, or 0 if some samples are earlier,
  /// which are then decoded but not presented. If all are earlier, it is again the earliest presentation time.
  static func origin(of tracks: [(start: RationalTime, end: RationalTime)]) -> RationalTime? {
    guard var first = tracks.first?.start else { return nil }
    for track in tracks where track.start.isBefore(first) { first = track.start }
    let zero = RationalTime(0, per: 1)
    return first.isBefore(zero) && tracks.contains { zero.isBefore($0.end) } ? zero : first
  }

  /// Returns the timescale of the movie: one in which all times of the tracks are exact, if that needs at most a
  /// million units per second.
  static func timescale(of tracks: [UInt32]) -> UInt32 {
    var common: UInt64 = 1
    for timescale in tracks {
      let unit = UInt64(timescale)
      common = common / greatestCommonDivisor(common, unit) * unit
      if common > 1_000_000 { return tracks.max() ?? 1000 }
    }
    return UInt32(common < 600 ? common * (600 / common + 1) : common)
  }

  private static func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
    b == 0 ? max(a, 1) : greatestCommonDivisor(b, a % b)
  }
}
