// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A walk over the samples of a track in movie fragments (`moof`): ISO/IEC 14496-12, 8.8.
struct FragmentCursor: Sendable {
  private var places: ArraySlice<FragmentPlace>
  private var current: TrackFragment?
  private var runs: ArraySlice<LocatedNode> = []
  private var run: RunCursor?
  private var dataStart = DataStart()
  /// The offset of the next run's data if it does not state one.
  private var position = 0
  /// The time of the next sample, if the fragment states it.
  private var decodeTime: Int64?
  /// The number of fragments that do not begin at the end of the previous one, and the sum of the differences in units.
  private(set) var gaps = (count: 0, units: Int64(0))

  init(_ places: [FragmentPlace]) { self.places = places[...] }

  /// - Parameter most: the maximum number of equal samples in a run.
  mutating func next(_ index: Int, at time: Int64, upTo most: Int) throws(SyntaxError)
    -> SampleRun?
  {
    while true {
      let found = try run?.next(index, at: decodeTime ?? time, offset: &position, upTo: most)
      if let found {
        if let decodeTime, index > 0, decodeTime != time {
          let gap = Int64(clamping: (decodeTime &- time).magnitude)
          gaps = (gaps.count + 1, gaps.units.addingReportingOverflow(gap).partialValue)
        }
        decodeTime = nil
        return found
      }
      if let current, let next = runs.popFirst() {
        run = try RunCursor(next, of: current, base: dataStart.offset, position: &position)
      } else if let place = places.popFirst() {
        try begin(place)
      } else {
        return nil
      }
    }
  }

  private mutating func begin(_ place: FragmentPlace) throws(SyntaxError) {
    let fragment = place.fragment
    current = fragment
    run = nil
    runs = fragment.runs[...]
    try dataStart.find(place)
    position = dataStart.offset
    if let start = fragment.decodeTime {
      guard let time = Int64(exactly: start), time <= 1 << 62 else {
        throw fragment.located.failure(
          "tfdt baseMediaDecodeTime is \(start), allowed is up to 2^62")
      }
      decodeTime = time
    }
  }
}

/// The offset of a fragment's data, and the state of the preceding fragments in the same `moof`.
private struct DataStart: Sendable {
  private(set) var offset = 0
  private var movieFragmentStart = -1
  private var position = 0
  /// The end of the data of the fragments before `position`.
  private var end = 0

  mutating func find(_ place: FragmentPlace) throws(SyntaxError) {
    let fragment = place.fragment
    if fragment.header.flags & 0x20001 == 0 {
      if movieFragmentStart != fragment.movieFragmentStart || position > place.position {
        movieFragmentStart = fragment.movieFragmentStart
        end = movieFragmentStart
        position = 0
      }
      while position < place.position {
        let sibling = place.siblings[position]
        end = try Self.end(of: sibling, from: try Self.base(of: sibling, after: end))
        position += 1
      }
    }
    offset = try Self.base(of: fragment, after: end)
  }

  private static func base(of fragment: TrackFragment, after end: Int) throws(SyntaxError) -> Int {
    if fragment.header.flags & 0x1 != 0 {
      guard let base = Int(exactly: fragment.header.baseDataOffset) else {
        throw fragment.located.failure("tfhd base_data_offset is beyond 2^63")
      }
      return base
    }
    return fragment.header.flags & 0x20000 != 0 ? fragment.movieFragmentStart : end
  }

  /// Returns the end of the data of all runs in a fragment.
  private static func end(of fragment: TrackFragment, from base: Int) throws(SyntaxError) -> Int {
    var position = base
    for run in fragment.runs {
      var cursor = try RunCursor(run, of: fragment, base: base, position: &position)
      try cursor.skip(offset: &position)
    }
    return position
  }
}
