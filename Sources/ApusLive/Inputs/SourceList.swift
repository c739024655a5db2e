// SPDX-License-Identifier: MIT

public import ApusMedia
public import ApusSamples

/// Sources played one after the other, once or in a loop, as one source with continuous times.
public struct SourceList: SampleSource, Sendable {
  /// Opens one source at its beginning; called again in each round.
  public typealias Open = @Sendable () throws -> any SampleSource & Sendable

  /// The tracks of the first source; the others must fit them.
  public let tracks: [CodedTrack]
  /// The details of the first source.
  public let details: MediaDetails
  private let inputs: [Open]
  private let loops: Bool
  private let onBegin: @Sendable (Int) -> Void
  private var place = 0
  private var source: any SampleSource & Sendable
  private var splice: Splice
  /// Whether this round of all sources has produced nothing so far.
  private var isEmpty = true
  private var hasBegun = false
  private var waiting: [SourceEvent] = []

  /// - Parameters:
  ///   - inputs: at least one; the tracks of the first are those of the whole.
  ///   - loops: whether the first follows the last.
  ///   - onBegin: called with the index of each source that begins.
  public init(
    _ inputs: [Open], loops: Bool, onBegin: @escaping @Sendable (_ place: Int) -> Void = { _ in }
  ) throws {
    guard let first = inputs.first else { throw MediaError(.misuse, "no input is given") }
    self.inputs = inputs
    self.loops = loops
    self.onBegin = onBegin
    source = try first()
    (tracks, details) = (source.tracks, source.details)
    splice = Splice(tracks)
  }

  public mutating func next() throws -> SourceEvent? {
    while true {
      if let event = waiting.popLast() { return event }
      if let event = try source.next() {
        if !hasBegun { onBegin(0) }
        (isEmpty, hasBegun) = (false, true)
        waiting = try splice.add(event).reversed()
      } else if try !turn() {
        return nil
      }
    }
  }

  /// Opens the next source; returns `false` if there is none.
  private mutating func turn() throws -> Bool {
    place += 1
    if place == inputs.count {
      guard loops, !isEmpty else { return false }
      (place, isEmpty) = (0, true)
    }
    source = try inputs[place]()
    try splice.begin(source.tracks)
    onBegin(place)
    return true
  }

  /// Throws if a source cannot follow in a stream with the tracks of another.
  public static func check(_ tracks: [CodedTrack], following first: [CodedTrack])
    throws(MediaError)
  {
    _ = try Splice.places(of: tracks, in: first)
  }
}
