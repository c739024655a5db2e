// SPDX-License-Identifier: MIT

public import ApusContainers
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

extension TranscodeJob {
  /// Measures the quality of the files that this job wrote: decodes and filters its input again, and compares each
  /// picture as the encoder got it with the decoded one from the written file. Memory holds only a few pictures,
  /// whatever the length.
  ///
  /// - Parameters:
  ///   - written: one input for all videos that were encoded, or one for each of them, such as the playlists of a
  ///     ladder.
  ///   - onPicture: called for each picture, with the results for its video so far.
  /// - Returns: one measurement for each video that was encoded; `nil` if it was stopped.
  public func quality(
    of written: [MediaInput],
    onPicture: @escaping (VideoQuality, PictureLikeness) -> Void = { _, _ in }
  ) throws -> [VideoQuality]? {
    guard !input.isGrowing else {
      throw MediaError(
        .unsupported, of: .input, "can be read only once, but the comparison reads it again")
    }
    guard options.settings.video.codecs.first != .copy else {
      throw MediaError(.misuse, of: .input, "has no video that was re-encoded")
    }
    var pictures: [WrittenPictures] = []
    for media in written {
      for (index, track) in media.source.tracks.enumerated() where track.isPlayedVideo {
        pictures.append(try WrittenPictures(media.source, track: index))
      }
    }
    let comparisons = pictures.map { PictureComparison($0, onPicture) }
    var job = self
    job.options.settings.audio.codec = .none
    job.options.settings.keepsSubtitles = false
    job.options.kept = nil
    job.options.onProgress = { _ in }
    let run = try job.measured(comparisons)
    return run.wasStopped ? nil : comparisons.map(\.quality)
  }

  private func measured(_ comparisons: [PictureComparison]) throws -> TranscodeRun {
    let survey = try RateSurvey(input.source, isGrowing: false)
    let plan = try TranscodePlan(
      input.source, options, survey.rates, pass: nil, comparisons: comparisons)
    guard plan.codedCount == comparisons.count else {
      throw MediaError(
        .unsupported, of: .part("output"),
        "has \(comparisons.count) videos where \(plan.codedCount) were coded, so which is which is not known"
      )
    }
    let run = try plan.run(survey.source, options.isStopped)
    while try run.next() != nil {}
    return run
  }
}
