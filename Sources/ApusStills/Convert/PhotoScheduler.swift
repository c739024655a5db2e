// SPDX-License-Identifier: MIT

internal import ApusThreads

/// The threads of an engine, and the resources they keep between photos.
///
/// At most `count` threads work at a time. A caller that waits for a run is one of them for the duration of the run, so
/// that one small picture starts no thread; the others are started when there is enough to do, and kept until the
/// engine is freed. A `Worker`, which holds decoders and encoders, belongs to one thread during a task; there are as
/// many as the highest number of threads at work so far, and each returns to the thread that used it last if possible.
final class PhotoScheduler: Sendable {
  private let options: ConvertOptions
  let count: Int
  private let state: Monitor<State>

  private struct State {
    var schedule: PhotoSchedule
    /// Workers that are not in use.
    var idle: [Worker] = []
    /// Threads that are executing a task.
    var busy: [ThreadID] = []
    /// The number of the engine's own threads.
    var threads = 0
    /// The number of callers that also work.
    var callers = 0
    var isClosing = false
  }

  init(_ options: ConvertOptions, count: Int) {
    self.options = options
    self.count = count
    state = Monitor(State(schedule: PhotoSchedule(width: count)))
  }

  /// Works on a run, and on others in between, and returns when the run is over.
  func run(_ next: @escaping @Sendable () -> PhotoRequest?) {
    let thread = ThreadID.current
    let (id, isNested) = state.change { state in
      let isNested = state.busy.contains(thread)
      state.callers += 1
      let id = state.schedule.add(isNested: isNested, next: next, onEnd: nil)
      return (id, isNested)
    }
    work(on: thread, for: id, isNested: isNested) { $0.schedule.isOver(id) }
    state.change { $0.callers -= 1 }
  }

  /// Starts a run that no caller waits for.
  ///
  /// - Parameter onEnd: called once, by the thread that ends it.
  /// - Returns: the run's ID; `nil` if there is no thread to work on it and none can be started.
  func start(
    _ next: @escaping @Sendable () -> PhotoRequest?, onEnd: @escaping @Sendable () -> Void
  ) -> PhotoSchedule.RunID? {
    let (id, runs) = state.change { state in
      let id = state.schedule.add(isNested: false, next: next, onEnd: onEnd)
      return (id, state.schedule.runCount)
    }
    // A thread that opens a photo may block on reading its bytes.
    guard startThreads(min(runs, count)) else {
      state.change { $0.schedule.remove(id) }
      return nil
    }
    return id
  }

  /// Starts no further photo of a run, or of any run, and abandons those in flight; their incomplete outputs are
  /// deleted.
  func stop(_ run: PhotoSchedule.RunID? = nil) {
    state.change { $0.schedule.stop(run) }
    endRuns()
  }

  /// Lets the threads end once no work is left.
  func close() { state.change { $0.isClosing = true } }

  /// The workers that no thread uses.
  var idleWorkers: [ObjectIdentifier] { state.withLock { $0.idle.map(ObjectIdentifier.init) } }

  /// Frees the resources of idle workers.
  func releaseIdleWorkers() { state.withLock { $0.idle = [] } }

  // MARK: Threads

  /// Starts threads up to a number. Returns whether there is at least one.
  @discardableResult
  private func startThreads(_ wanted: Int) -> Bool {
    while true {
      let isMissing = state.withLock { state in
        guard state.threads < wanted else { return false }
        state.threads += 1
        return true
      }
      guard isMissing else { return true }
      let isStarted = Thread.start { [self] in
        work(on: .current) { $0.isClosing && $0.schedule.isIdle }
        state.change { $0.threads -= 1 }
      }
      guard isStarted else {
        return state.withLock { state in
          state.threads -= 1
          return state.threads > 0
        }
      }
    }
  }

  /// Starts as many threads as are allowed.
  private func startAllThreads() {
    startThreads(state.withLock { count - min($0.callers, 1) })
  }

  /// Executes tasks until the condition for returning is met.
  ///
  /// - Parameters:
  ///   - run: the run that the thread waits for; `nil` for one of the engine's own threads.
  ///   - isNested: whether the thread is in the middle of a task that waits for the run.
  private func work(
    on thread: ThreadID, for run: PhotoSchedule.RunID? = nil, isNested: Bool = false,
    until isEnough: (borrowing State) -> Bool
  ) {
    var last: Worker?
    while true {
      let task = state.wait { state -> (PhotoSchedule.Task, Worker)?? in
        if isEnough(state) { return .some(nil) }
        let hasIdleThread = state.threads > state.busy.count
        guard isNested || state.busy.count < count,
          let task = state.schedule.next(for: run, hasIdleThread: hasIdleThread)
        else { return nil }
        state.busy.append(thread)
        return (task, takeWorker(&state, last))
      }
      guard let (task, worker) = task else { return }
      perform(task, on: worker)
      last = worker
      state.change { state in
        if let index = state.busy.lastIndex(of: thread) { state.busy.remove(at: index) }
        if state.idle.count < count { state.idle.append(worker) }
      }
      endRuns()
    }
  }

  private func takeWorker(_ state: inout State, _ last: Worker?) -> Worker {
    if let index = state.idle.lastIndex(where: { $0 === last }) {
      return state.idle.remove(at: index)
    }
    return state.idle.popLast()
      ?? Worker(options, beside: count > 1 ? OtherWorkers(self) : nil)
  }

  private func endRuns() {
    let ended = state.withLock { $0.schedule.removeEnded() }
    guard !ended.isEmpty else { return }
    state.change { _ in }
    for run in ended { run.onEnd?() }
  }

  /// Lets idle threads take part in work while `body` runs; none takes part any more when this returns.
  fileprivate func share(_ work: any SharedWork, while body: () -> Void) {
    let offer = state.change { $0.schedule.offer(work) }
    body()
    state.wait { $0.schedule.withdraw(offer) }
  }

  // MARK: Tasks

  private func perform(_ task: PhotoSchedule.Task, on worker: Worker) {
    switch task {
    case .open(let run): open(run)
    case .picture(let photo, let job, let work, let run):
      worker.options = photo.options
      job.perform(work, on: worker)
      photo.progress?.report(job)
      guard work == .finish else { return }
      state.change { $0.schedule.unsettle(photo) }
      settle(photo, photo.close(job), of: run)
    case .job(let request, let run):
      // The picture after this one need not wait for it.
      startAllThreads()
      let report = request.job?(isStopping(run)) ?? PhotoReport(input: request.name)
      state.change { $0.schedule.endedJob(of: run) }
      deliver(PhotoSchedule.Finished(request: request, report: report), of: run)
    case .help(let work, let offer):
      // Work that another worker waits for has priority.
      while work.takePart() {}
      state.change { $0.schedule.endedHelp(offer) }
    }
  }

  private func open(_ run: PhotoSchedule.Run) {
    let request = run.next()
    if let request, request.job != nil {
      return state.change { $0.schedule.answered(run.id, job: request) }
    }
    let (number, photos, isAlone) = state.change { state in
      state.schedule.answered(run.id, hasPhoto: request != nil)
    }
    guard let request else { return }
    if photos > 1 || !isAlone { startAllThreads() }
    if photos > 1 { CodePages.giveBackOnce() }
    let photo = PhotoTask(
      request, number: number, options: request.options ?? options, workers: count,
      decoderThreads: isAlone ? count : 1)
    settle(photo, photo.open(), of: run.id)
  }

  /// Makes a photo's work available to other workers, or reports the photo.
  private func settle(_ photo: PhotoTask, _ job: PictureJob?, of run: PhotoSchedule.RunID) {
    if let job {
      let jobs = [job] + (photo.ahead.map { [$0] } ?? [])
      if !jobs.allSatisfy(\.isSmall) { startAllThreads() }
      photo.progress?.begin(job)
      return state.change { $0.schedule.settle(photo, jobs, of: run) }
    }
    deliver(photo.finished, of: run)
  }

  /// Delivers a report, and those of the same run that arrived in the meantime.
  private func deliver(_ finished: PhotoSchedule.Finished, of run: PhotoSchedule.RunID) {
    let isStopping = isStopping(run)
    var next = state.withLock { $0.schedule.beginReport(finished, of: run) }
    while let finished = next {
      // A stopped photo without a result is not reported.
      if !isStopping() || finished.report.status != .failed {
        finished.request.report(finished.report)
      }
      next = state.change { $0.schedule.endReport(of: run) }
    }
  }

  private func isStopping(_ run: PhotoSchedule.RunID) -> @Sendable () -> Bool {
    { [self] in state.withLock { $0.schedule.isStopping(run) } }
  }
}

/// All workers other than a given one.
private final class OtherWorkers: IdleWorkers {
  /// The scheduler, on whose threads alone this is used.
  private unowned let scheduler: PhotoScheduler
  var count: Int { scheduler.count }

  init(_ scheduler: PhotoScheduler) { self.scheduler = scheduler }

  func share(_ work: any SharedWork, while body: () -> Void) {
    scheduler.share(work, while: body)
  }
}
