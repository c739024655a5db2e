// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples

/// Reports the progress of a run while it is pulled.
struct ReportingSource: SampleSource, Sendable {
  let tracks: [CodedTrack]
  let details: MediaDetails
  private let run: TranscodeRun
  var repairs: [String] { run.repairs }
  private let onProgress: @Sendable (TranscodeProgress) -> Void
  private var progress = TranscodeProgress()
  private let isVideo: [Bool]
  private let counts: Bool

  init(
    _ run: TranscodeRun, _ options: TranscodeJob.Options,
    _ details: MediaDetails = MediaDetails(), _ change: (inout TranscodeProgress) -> Void
  ) {
    self.run = run
    self.details = details
    tracks = run.tracks
    isVideo = run.tracks.map { $0.kind == .video }
    counts = isVideo.contains(true)
    onProgress = options.onProgress
    change(&progress)
  }

  mutating func next() throws -> SourceEvent? {
    let event = try run.next()
    if case .sample(let sample) = event {
      progress.bytes += sample.payload.count
      if isVideo[sample.track] || !counts {
        progress.frames += 1
        if progress.time.isBefore(sample.presentationTime) {
          progress.time = sample.presentationTime
        }
        onProgress(progress)
      }
    }
    return event
  }
}
