// SPDX-License-Identifier: MIT

/// Makes muxers of containers that the outputs do not write themselves.
///
/// Tracks come with FFmpeg's name of their codec (`TrackDetails.codec`), empty for a codec without one.
public protocol MuxerMaker: Sendable {
  /// Returns for each track the reason why the container cannot hold it, as text that follows its name; `nil` if it
  /// can.
  func refusals(of tracks: [CodedTrack], in target: RemuxTarget) -> [String?]
  /// Returns what the container cannot store of a track that it holds, as text that follows the track's name.
  func losses(of track: CodedTrack, in target: RemuxTarget) -> [String]
  /// Begins a container.
  ///
  /// - Parameter canReturn: whether pieces may replace bytes that were returned before.
  func muxer(
    of target: RemuxTarget, _ tracks: [CodedTrack], _ details: MediaDetails, canReturn: Bool
  ) throws -> any ContainerMuxer
}
