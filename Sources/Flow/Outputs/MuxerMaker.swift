// SPDX-License-Identifier: MIT

/// Makes muxers of containers that the room of the outputs does not write itself.
///
/// Tracks come with FFmpeg's name of their codec (`TrackDetails.codec`), empty for one that has none.
public protocol MuxerMaker: Sendable {
  /// Returns for each track why the container cannot hold it; `nil` where it can. What it says follows the name of the
  /// track.
  func refusals(of tracks: [CodedTrack], in target: RemuxTarget) -> [String?]
  /// What the container cannot say of a track that it holds, as text that follows the track's name.
  func losses(of track: CodedTrack, in target: RemuxTarget) -> [String]
  /// Begins a container.
  ///
  /// - Parameter canReturn: whether pieces may replace bytes that were handed over.
  func muxer(
    of target: RemuxTarget, _ tracks: [CodedTrack], _ details: MediaDetails, canReturn: Bool
  ) throws -> any ContainerMuxer
}
