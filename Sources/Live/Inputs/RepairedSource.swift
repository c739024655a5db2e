// SPDX-License-Identifier: MIT

public import Flow

/// A source that says at its end what was wrong with its samples and made good.
public struct RepairedSource: SampleSource, Sendable {
  private var source: any SampleSource & Sendable
  private let onEnd: @Sendable (_ repairs: [String]) -> Void
  private var isOver = false

  /// - Parameter onEnd: called once, where there is something to say, when the last sample was given.
  public init(
    _ source: any SampleSource & Sendable,
    onEnd: @escaping @Sendable (_ repairs: [String]) -> Void
  ) {
    self.source = source
    self.onEnd = onEnd
  }

  public var tracks: [CodedTrack] { source.tracks }
  public var details: MediaDetails { source.details }
  public var repairs: [String] { source.repairs }

  public mutating func next() throws -> SourceEvent? {
    if let event = try source.next() { return event }
    if !isOver, !source.repairs.isEmpty { onEnd(source.repairs) }
    isOver = true
    return nil
  }
}
