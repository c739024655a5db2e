// SPDX-License-Identifier: MIT

internal import Media

/// One file on its way through the engine: opened, its pictures made one after the other, closed. What comes next is said by
/// its `PhotoSteps`; this turns recipes into jobs.
///
/// May cross threads because one worker at a time has it: the one that opens it, or that closes a picture of it.
final class PhotoTask: @unchecked Sendable {
  /// The files in the order in which they were started.
  let number: Int
  let progress: ProgressMeter?
  private let request: PhotoRequest
  let options: ConvertOptions
  private let decoderThreads: Int
  private var steps: PhotoSteps
  /// The picture that comes after the pass, where it can be started already.
  private(set) var ahead: PictureJob?

  /// The report, once all is done, with what is to be reported.
  var finished: PhotoSchedule.Finished { .init(request: request, report: steps.report) }

  /// - Parameter decoderThreads: how many threads may decode inside of a picture that has no tiles.
  init(
    _ request: PhotoRequest, number: Int, options: ConvertOptions, workers: Int,
    decoderThreads: Int
  ) {
    self.request = request
    self.number = number
    self.options = options
    self.decoderThreads = decoderThreads
    steps = PhotoSteps(request, options, workers: workers)
    progress = request.progress.map { ProgressMeter(request.name, $0) }
  }

  /// Reads what the file holds. Returns its first picture, or nothing when the report says it all.
  func open() -> PictureJob? { job(for: steps.open()) }

  /// Takes the result of a picture and begins with the next one.
  func close(_ job: PictureJob) -> PictureJob? {
    self.job(for: steps.close(.init(job)))
  }

  private func job(for step: PhotoSteps.Step) -> PictureJob? {
    var step = step
    while let job = begin(step) {
      do {
        try job.begin()
        return job
      } catch {
        job.abandon(MediaError(error))
        step = steps.close(.init(job))
      }
    }
    return nil
  }

  private func begin(_ step: PhotoSteps.Step) -> PictureJob? {
    let before = ahead
    ahead = nil
    switch step {
    case .decode(let recipe, let next):
      ahead = next.map { PictureJob($0, decoderThreads: decoderThreads) }
      return PictureJob(recipe, decoderThreads: decoderThreads)
    case .goOn(let maker):
      before?.make(maker)
      return before
    case .done: return nil
    }
  }
}

extension PhotoSteps.Made {
  fileprivate init(_ job: PictureJob) {
    self.init(size: job.size, maker: job.maker, outcome: job.outcome)
  }
}
