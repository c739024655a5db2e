// SPDX-License-Identifier: MIT

internal import Bytes
internal import Flow
internal import Media

/// What becomes of one track on its way: samples of the input in, events for an output out.
protocol TrackLine: AnyObject {
  /// The tracks that are made of it: one, or one for each rung of a ladder.
  var outputs: [any LineOutput] { get }
  /// Whether it takes no more, since everything that was wanted has come.
  var isDone: Bool { get }
  /// The results for the re-encoded tracks.
  var facts: [TranscodedTrack] { get }

  /// Says that nothing is wanted of what is decoded before a time. Called before the first sample.
  func enter(at time: RationalTime)
  func push(_ sample: CodedSample) throws
  func change(to format: CodedTrack.Format) throws
  /// Hands over all that is held back.
  func finish() throws
}

/// One track that a line makes.
protocol LineOutput: AnyObject {
  /// The track as the output gets it; `nil` until the first samples have shown what it is.
  var track: CodedTrack? { get }
  /// What is ready, in decoding order. Its samples carry no index of a track yet.
  var ready: Queue<SourceEvent> { get set }
  /// Whether samples are held back, so that others must wait for them to stay interleaved.
  var holdsBack: Bool { get }
  /// Whether its pictures are re-encoded.
  var isCodedVideo: Bool { get }

  /// Gives nothing that is kept of the run before. Called before the first sample.
  func resume(after cut: TrackCut)
}

extension TrackLine {
  var facts: [TranscodedTrack] { [] }
  func enter(at time: RationalTime) {}
}

extension TrackLine where Self: LineOutput {
  var outputs: [any LineOutput] { [self] }
}

extension LineOutput {
  var isCodedVideo: Bool { false }
}
