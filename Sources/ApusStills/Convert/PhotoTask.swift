// SPDX-License-Identifier: MIT

internal import ApusMedia

/// One file on its way through the engine: it is opened, its pictures are made one after the other, and it is closed.
/// `PhotoSteps` determines the next step; this class turns recipes into jobs.
///
/// It may cross threads because only one worker at a time uses it: the one that opens it, or that closes one of its
/// pictures.
final class PhotoTask: @unchecked Sendable {
  /// The number of the file in starting order.
  let number: Int
  let progress: ProgressMeter?
  private let request: PhotoRequest
  let options: ConvertOptions
  private let decoderThreads: Int
  private var steps: PhotoSteps
  /// The picture after the current pass, if it can be started already.
  private(set) var ahead: PictureJob?

  /// The request and its report, once the work is done.
  var finished: PhotoSchedule.Finished { .init(request: request, report: steps.report) }

  /// - Parameter decoderThreads: the number of threads that may decode a picture without tiles.
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

  /// Opens the file and returns its first picture; `nil` if the report is complete.
  func open() -> PictureJob? { job(for: steps.open()) }

  /// Records the result of a picture and returns the next one.
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
