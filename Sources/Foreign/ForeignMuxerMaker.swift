// SPDX-License-Identifier: MIT

internal import Bytes
internal import FFmpeg
internal import FLV
public import Flow
internal import ISOBMFF
internal import Media

/// Writes Matroska, WebM and MPEG transport streams with libavformat.
public struct ForeignMuxerMaker: MuxerMaker {
  public init() {}

  public func refusals(of tracks: [CodedTrack], in target: RemuxTarget) -> [String?] {
    tracks.map { track in
      track.loneEnhancementLayer ?? ForeignPlace(target).refusal(of: track)
    }
  }

  public func losses(of track: CodedTrack, in target: RemuxTarget) -> [String] {
    guard track.kind == .video, track.matrix != TransformationMatrix() else { return [] }
    let holdsTurns = ForeignMuxer.holdsRotation(in: ForeignPlace(target).container)
    guard !holdsTurns || !track.matrix.isTurn else { return [] }
    return ["is turned or moved when it is shown, which \(target.title) cannot say"]
  }

  public func muxer(
    of target: RemuxTarget, _ tracks: [CodedTrack], _ details: MediaDetails, canReturn: Bool
  ) throws -> any ContainerMuxer {
    ForeignOutput(ForeignPlace(target).container, tracks, details, canReturn: canReturn)
  }
}
