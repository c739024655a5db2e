// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// Makes the lines of the tracks of an input, in their order.
struct LineMaker {
  /// The renditions; `nil` once the video that they are made from has its line.
  private(set) var ladder: LadderPlan?
  private let output: RemuxJob.Options
  /// The options of the next line, with the comparisons that no line has yet.
  private var options: LineOptions
  /// The size of the pictures; 0 if unknown.
  private let size: (width: Int, height: Int)

  init(_ tracks: [CodedTrack], _ output: RemuxJob.Options, _ options: LineOptions) {
    self.output = output
    self.options = options
    let videos = tracks.filter { $0.kind == .video }
    let video = videos.first(where: \.isPlayedVideo) ?? videos.first
    let size = (width: video?.width ?? 0, height: video?.height ?? 0)
    self.size = size
    ladder = options.settings.ladder.map { ladder in
      let seen = options.settings.video.crop.map { ($0.width, $0.height) } ?? size
      return LadderPlan(ladder, width: seen.0, height: seen.1)
    }
  }

  /// Returns the line for the next track; `nil` if it is not wanted.
  mutating func line(for track: CodedTrack, frameRate: Fraction) throws -> (any TrackLine)? {
    let isSecond = options.settings.ladder != nil && ladder == nil && track.isPlayedVideo
    if isSecond {
      throw MediaError(
        .unsupported, of: .part(track.name),
        "is not the video that the renditions are made from")
    }
    switch track.kind {
    case .video:
      guard track.isPlayedVideo, options.settings.video.codecs.first != .copy else {
        return CopyLine(track, options.window)
      }
      return try videoLine(for: track, frameRate: frameRate)
    case .audio: return try audioLine(for: track)
    case .subtitle:
      let text = output.target.isMovie ? size : nil
      return options.settings.keepsSubtitles ? CopyLine(track, options.window, text: text) : nil
    case .timecode, .data: return CopyLine(track, options.window)
    }
  }

  private mutating func videoLine(for track: CodedTrack, frameRate: Fraction) throws -> VideoLine {
    let line = try VideoLine(track, options, ladder: ladder, frameRate: frameRate)
    options.comparisons = Array(options.comparisons.dropFirst(line.outputs.count))
    ladder = nil
    return line
  }

  private func audioLine(for track: CodedTrack) throws -> (any TrackLine)? {
    switch options.settings.audio.codec {
    case .none: return nil
    case .copy: return CopyLine(track, options.window)
    case .aac: return try AudioLine(track, options)
    case .auto:
      return output.refusal(of: track) == nil
        ? CopyLine(track, options.window) : try AudioLine(track, options)
    }
  }
}
