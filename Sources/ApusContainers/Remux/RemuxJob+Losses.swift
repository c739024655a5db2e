// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
package import ApusSamples
internal import FLV
internal import HEVC
internal import ISOBMFF

extension RemuxJob {
  /// Returns what the target cannot store of the kept tracks and of the whole, as text.
  static func losses(
    of kept: [Int], _ tracks: [CodedTrack], _ names: [String], _ input: MediaInput,
    _ options: Options
  ) -> [String] {
    let target = options.target
    var losses = kept.compactMap { tracks[$0].stereoLoss(as: names[$0], in: target) }
    guard !target.isMovie else { return losses }
    for index in kept {
      let track = tracks[index]
      if let loss = track.displayLoss(as: names[index]) { losses.append(loss) }
      if !target.isMatroska, let loss = track.shapeLoss(as: names[index], in: target.title) {
        losses.append(loss)
      }
      if target.isMuxed {
        losses += (options.muxers?.losses(of: track, in: target) ?? []).map {
          "\(names[index]) \($0)"
        }
      } else if track.kind == .video, track.matrix != TransformationMatrix() {
        losses.append(
          "\(names[index]) has a rotation or position, which \(target.title) cannot store")
      }
    }
    var details = input.source.details
    details.apply(options.tags)
    if let loss = details.loss(in: target) { losses.append(loss) }
    // Copying one bare stream to another loses nothing.
    let staysBare = input.kind == .annexB && target == .hevc
    if !target.isMuxed, !staysBare {
      losses += kept.compactMap { tracks[$0].dolbyVisionLoss(in: target.title) }
    }
    return losses
  }

  /// Returns for each track the reason why the target cannot hold it; `nil` where it can.
  package static func refusals(of tracks: [CodedTrack], _ options: Options) -> [String?] {
    switch options.target {
    case .flv:
      return FLVPlace.places(of: tracks, options.dialect).map {
        if case .failure(let refusal) = $0 { refusal.detail } else { nil }
      }
    case .hevc:
      return tracks.indices.map {
        $0 == AnnexBOutput<CountingSink>.choice(of: tracks)
          ? nil : "cannot be stored in a bare video stream"
      }
    case .mkv, .webm, .ts: return options.muxers?.refusals(of: tracks, in: options.target) ?? []
    case .mp4, .mov, .fmp4, .hls:
      let headers = HeadersReader()
      return tracks.map {
        MovieEntry.refusal(
          of: $0, in: options.target == .mov ? .quickTime : .mp4, headers: headers)
      }
    }
  }
}
