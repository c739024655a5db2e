// SPDX-License-Identifier: MIT

public import ApusSamples

/// A source that reports at its end the faults of its samples that were repaired.
public struct RepairedSource: SampleSource, Sendable {
  private var source: any SampleSource & Sendable
  private let onEnd: @Sendable (_ repairs: [String]) -> Void
  private var isOver = false

  /// - Parameter onEnd: called once after the last sample, if there is something to report.
  public init(
    _ source: any SampleSource & Sendable,
    onEnd: @escaping @Sendable (_ repairs: [String]) -> Void
  ) {
    self.source = source
    self.onEnd = onEnd
  }

  /// The tracks of the source, unchanged.
  public var tracks: [CodedTrack] { source.tracks }
  /// The details of the source, unchanged.
  public var details: MediaDetails { source.details }
  /// The faults of the source's samples so far that were repaired, as text.
  public var repairs: [String] { source.repairs }

  public mutating func next() throws -> SourceEvent? {
    if let event = try source.next() { return event }
    if !isOver, !source.repairs.isEmpty { onEnd(source.repairs) }
    isOver = true
    return nil
  }
}
