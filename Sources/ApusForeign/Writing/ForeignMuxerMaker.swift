// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
public import ApusSamples
internal import FLV
internal import ISOBMFF

/// Writes Matroska, WebM and MPEG transport streams with libavformat.
public struct ForeignMuxerMaker: MuxerMaker {
  /// Creates a maker; libavformat is loaded when a container is written.
  public init() {}

  /// Returns, for each track, the reason why the target cannot hold it, worded to follow its name; `nil` if it can.
  public func refusals(of tracks: [CodedTrack], in target: RemuxTarget) -> [String?] {
    tracks.map { track in
      track.loneEnhancementLayer ?? ForeignPlace(target).refusal(of: track)
    }
  }

  /// Returns the properties of a track that the target cannot store, each worded to follow the name of the track.
  public func losses(of track: CodedTrack, in target: RemuxTarget) -> [String] {
    guard track.kind == .video, track.matrix != TransformationMatrix() else { return [] }
    let canTurn = ForeignMuxer.holdsRotation(in: ForeignPlace(target).container)
    guard !canTurn || !track.matrix.isTurn else { return [] }
    // Matroska has a place for it.
    let isLibrary = target.isMatroska && track.matrix.isTurn
    let speaker = isLibrary ? "this libavformat (before 7.0)" : target.title
    return ["has a rotation or position, which \(speaker) cannot store"]
  }

  /// Returns a muxer for a container.
  ///
  /// - Parameter canReturn: whether pieces may replace bytes that were returned before.
  public func muxer(
    of target: RemuxTarget, _ tracks: [CodedTrack], _ details: MediaDetails, canReturn: Bool
  ) throws -> any ContainerMuxer {
    guard tracks.count <= Self.mostTracks else {
      throw MediaError(
        .limit, of: .input,
        "has \(tracks.count) tracks to write; \(target.title) holds at most \(Self.mostTracks)",
        remedy: .tracks)
    }
    return ForeignOutput(ForeignPlace(target).container, tracks, details, canReturn: canReturn)
  }

  /// libavformat allows 1,000 streams in one file, including attachments.
  private static let mostTracks = 900
}
