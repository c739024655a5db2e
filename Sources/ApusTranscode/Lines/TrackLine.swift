// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples

/// The processing of one track: samples of the input go in, events for an output come out.
protocol TrackLine: AnyObject {
  /// The tracks made from it: one, or one for each rung of a ladder.
  var outputs: [any LineOutput] { get }
  /// Whether it accepts no more, because everything that was requested has come.
  var isDone: Bool { get }
  /// The results for the re-encoded tracks.
  var facts: [TranscodedTrack] { get }

  /// Discards everything decoded before a time. Called before the first sample.
  func enter(at time: RationalTime)
  func push(_ sample: CodedSample) throws
  func change(to format: CodedTrack.Format) throws
  /// Passes on everything that is held back.
  func finish() throws
  /// Ends the track before its end, without a gap before its last sample.
  func stop() throws
}

/// One track made by a line.
protocol LineOutput: AnyObject {
  /// The track for the output; `nil` until the first samples have shown its format.
  var track: CodedTrack? { get }
  /// The events that are ready, in decoding order. Their samples do not have an index of a track yet.
  var ready: Queue<SourceEvent> { get set }
  /// Whether samples are held back, so that other tracks must wait for them to stay interleaved.
  var holdsBack: Bool { get }
  /// Whether its pictures are re-encoded.
  var isCodedVideo: Bool { get }

  /// Leaves out everything that is kept from the previous run. Called before the first sample.
  func resume(after cut: TrackCut)
}

extension TrackLine {
  var facts: [TranscodedTrack] { [] }
  func enter(at time: RationalTime) {}
  func stop() throws { try finish() }
}

extension TrackLine where Self: LineOutput {
  var outputs: [any LineOutput] { [self] }
}

extension LineOutput {
  var isCodedVideo: Bool { false }
}
