// SPDX-License-Identifier: MIT

internal import Media

/// Converts photos, with one set of workers for the tiles of a photo and the photos of a batch.
///
/// A worker takes what the oldest photo in flight has to do. Only when that has nothing for it, because its bands
/// are full or its last tiles are being decoded, does it turn to the next, or begin with a new one: so as little
/// as possible is in memory, and no worker is idle. One small picture alone starts no further threads.
public final class PhotoEngine: Sendable {
  public let options: ConvertOptions
  public let workers: Int
  private let state = Monitor(State())

  /// - Parameter workers: how many threads decode and encode.
  public init(_ options: ConvertOptions, workers: Int) {
    self.options = options
    self.workers = max(workers, 1)
  }

  private struct State: Sendable {
    /// Photos that workers have begun with, oldest first, each with the picture of it that is being made, and the one
    /// that comes after.
    var photos: [(photo: PhotoTask, jobs: [PictureJob])] = []
    /// Photos that a worker opens or closes and that have nothing to do for others.
    var unsettled = 0
    var isAsking = false
    var isExhausted = false
    var isStopping = false
    var isReporting = false
    var opened = 0
    /// Work that idle workers may take part in, oldest first.
    var offers: [Offer] = []
    var offered = 0
  }

  private struct Offer {
    let number: Int
    let work: any SharedWork
    /// How many workers are in it beside the one that shares it.
    var helpers = 0
  }

  private enum Task {
    case open
    case picture(PhotoTask, PictureJob, PictureProgress.Work)
    /// Take part in what another worker does.
    case help(offer: Int)
    case end
  }

  /// Takes files from `next` until there are none, or until `stop`. One call of `next` or `report` is made at a
  /// time; reports come in the order in which files are finished.
  public func run(
    next: @escaping @Sendable () -> PhotoRequest?,
    report: @escaping @Sendable (PhotoReport) -> Void
  ) {
    state.withLock { $0 = State() }
    let threads = Threads(workers) { [self] threads in
      let worker = Worker(options, beside: workers > 1 ? OtherWorkers(engine: self) : nil)
      while true {
        switch state.wait({ self.task(&$0) }) {
        case .open: open(next, report, on: threads)
        case .picture(let photo, let job, let work):
          job.perform(work, on: worker)
          if work == .finish {
            close(photo, job, report, on: threads)
          } else {
            state.change { _ in }
          }
        case .help(let number):
          help(number)
          state.change { state in
            for index in state.offers.indices where state.offers[index].number == number {
              state.offers[index].helpers -= 1
            }
          }
        case .end: return
        }
      }
    }
    threads.run()
  }

  /// Begins no further file and abandons what is in flight: outputs that are not whole vanish, and are reported
  /// by nobody.
  public func stop() {
    state.change { state in
      state.isStopping = true
      for job in state.photos.flatMap(\.jobs) { job.abandon(Refusal(.misuse, "was stopped")) }
    }
  }

  /// What a worker should do now; `nil` to wait until something has changed.
  private func task(_ state: inout State) -> Task? {
    for (photo, jobs) in state.photos {
      for job in jobs {
        if let work = job.next() { return .picture(photo, job, work) }
      }
    }
    let mayOpen = !state.isExhausted && !state.isStopping
    if mayOpen, !state.isAsking, state.photos.count + state.unsettled < workers {
      state.isAsking = true
      return .open
    }
    for index in state.offers.indices where state.offers[index].work.isOpen {
      state.offers[index].helpers += 1
      return .help(offer: state.offers[index].number)
    }
    let isIdle = state.photos.isEmpty && state.unsettled == 0 && !state.isAsking
    return isIdle && !mayOpen ? .end : nil
  }

  // MARK: - Work of others

  /// Stays in it while there are parts to begin with: what the other worker waits for comes before all else.
  private func help(_ number: Int) {
    let work = state.withLock { state in state.offers.first { $0.number == number }?.work }
    guard let work else { return }
    while work.takePart() {}
  }

  /// The workers beside one of them.
  private final class OtherWorkers: IdleWorkers {
    private let engine: PhotoEngine
    var count: Int { engine.workers }

    init(engine: PhotoEngine) { self.engine = engine }

    func share(_ work: any SharedWork, while body: () -> Void) {
      let number = engine.state.change { state in
        state.offered += 1
        state.offers.append(Offer(number: state.offered, work: work))
        return state.offered
      }
      body()
      engine.state.wait { state -> Void? in
        guard let index = state.offers.firstIndex(where: { $0.number == number }) else { return () }
        guard state.offers[index].helpers == 0 else { return nil }
        state.offers.remove(at: index)
        return ()
      }
    }
  }

  private func open(
    _ next: () -> PhotoRequest?, _ report: (PhotoReport) -> Void, on threads: Threads
  ) {
    let request = next()
    let (number, isAlone) = state.change { state in
      state.isAsking = false
      if request == nil { state.isExhausted = true } else { state.unsettled += 1 }
      state.opened += 1
      return (state.opened, state.photos.isEmpty && state.unsettled == 1)
    }
    guard let request else { return }
    if number > 1 {
      threads.startAll()
      CodePages.giveBackOnce()
    }
    let photo = PhotoTask(
      request, number: number, options: options, workers: workers,
      decoderThreads: isAlone ? workers : 1)
    settle(photo, photo.open(), report, on: threads)
  }

  private func close(
    _ photo: PhotoTask, _ job: PictureJob, _ report: (PhotoReport) -> Void, on threads: Threads
  ) {
    state.change { state in
      state.photos.removeAll { $0.photo === photo }
      state.unsettled += 1
    }
    settle(photo, photo.close(job), report, on: threads)
  }

  /// Puts a photo where other workers see what there is to do for it, or reports it.
  private func settle(
    _ photo: PhotoTask, _ job: PictureJob?, _ report: (PhotoReport) -> Void, on threads: Threads
  ) {
    if let job {
      let jobs = [job] + (photo.ahead.map { [$0] } ?? [])
      if !jobs.allSatisfy(\.isSmall) { threads.startAll() }
      state.change { state in
        if state.isStopping { for job in jobs { job.abandon(Refusal(.misuse, "was stopped")) } }
        state.photos.append((photo, jobs))
        state.photos.sort { $0.photo.number < $1.photo.number }
        state.unsettled -= 1
      }
      return
    }
    let isStopping = state.wait { state -> Bool? in
      guard !state.isReporting else { return nil }
      state.isReporting = true
      return state.isStopping
    }
    if !isStopping || photo.report.status != .failed { report(photo.report) }
    state.change { state in
      state.isReporting = false
      state.unsettled -= 1
    }
  }
}
