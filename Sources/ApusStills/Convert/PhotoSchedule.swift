// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusThreads

/// The work of an engine's workers: the photos in flight of any number of simultaneous callers.
///
/// It starts no thread and never waits; a `PhotoScheduler` calls it under a lock. A worker gets work from the oldest
/// photo in flight. Only if that has none does it get work from the next one, or open another photo: this keeps memory
/// use low and all workers busy. Runs take turns, so that a single photo does not wait for a batch to end.
struct PhotoSchedule {
  typealias RunID = Int

  /// The work requested by one caller.
  struct Run {
    let id: RunID
    let next: @Sendable () -> PhotoRequest?
    /// Called once the run is over, unless a caller waits for it.
    let onEnd: (@Sendable () -> Void)?
    /// Whether the run was started by a worker in the middle of a task, which waits for it.
    let isNested: Bool
    /// The number of the run's photos that are open, or being opened or closed.
    var inFlight = 0
    var opened = 0
    /// The number of the run's latest photo; 0 before the first.
    var lastPhoto = 0
    var isAsking = false
    var isExhausted = false
    var isStopping = false
    var isReporting = false
    /// Reports that wait while another is being delivered.
    var reports: [Finished] = []
    /// Jobs that need one thread each and have not started.
    var jobs: [PhotoRequest] = []
    /// Whether one of the jobs is running.
    var hasJob = false

    /// Whether a thread waits for the run, and works on it.
    var hasCaller: Bool { onEnd == nil }
    /// Returns whether the run may be asked for its next file. The queue of jobs is bounded, so that a list of names
    /// need not be read to its end.
    func mayOpen(_ width: Int) -> Bool {
      !isExhausted && !isStopping && !isAsking && jobs.count < width
    }
    var mayStartJob: Bool { !jobs.isEmpty && !hasJob && !isStopping }
    var isOver: Bool { (isExhausted || isStopping) && !isAsking && inFlight == 0 }
  }

  /// A finished file with its report.
  struct Finished {
    let request: PhotoRequest
    let report: PhotoReport
  }

  /// A photo with its current picture and, if started, the next one.
  private struct Entry {
    let photo: PhotoTask
    let jobs: [PictureJob]
    let run: RunID
  }

  private struct Offer {
    let number: Int
    let work: any SharedWork
    /// The number of workers that take part, in addition to the one that shares the work.
    var helpers = 0
  }

  enum Task {
    /// Asks the run for its next photo.
    case open(Run)
    case picture(PhotoTask, PictureJob, PictureProgress.Work, of: RunID)
    /// Does a job on a file that is not a photo.
    case job(PhotoRequest, of: RunID)
    /// Takes part in another worker's work.
    case help(any SharedWork, offer: Int)
  }

  /// The maximum number of photos in flight.
  let width: Int
  /// The active runs, oldest first.
  private var runs: [Run] = []
  /// Photos that workers have started, oldest first.
  private var entries: [Entry] = []
  /// The number of photos being opened or closed, which have no work for other workers.
  private var unsettled = 0
  /// Work that idle workers may join, oldest first.
  private var offers: [Offer] = []
  private var lastRun = 0
  private var lastPhoto = 0
  private var lastOffer = 0

  init(width: Int) { self.width = width }

  var isIdle: Bool { runs.isEmpty }
  /// The number of active runs.
  var runCount: Int { runs.count }

  // MARK: Runs

  mutating func add(
    isNested: Bool, next: @escaping @Sendable () -> PhotoRequest?,
    onEnd: (@Sendable () -> Void)?
  ) -> RunID {
    lastRun += 1
    runs.append(Run(id: lastRun, next: next, onEnd: onEnd, isNested: isNested))
    return lastRun
  }

  /// Removes a run that no worker has started.
  mutating func remove(_ id: RunID) { runs.removeAll { $0.id == id } }

  func isOver(_ id: RunID) -> Bool { index(of: id) == nil }

  func isStopping(_ id: RunID) -> Bool {
    index(of: id).map { runs[$0].isStopping } ?? true
  }

  /// Starts no further photo of a run, or of any run, and abandons those in flight.
  mutating func stop(_ id: RunID? = nil) {
    for index in runs.indices where id == nil || runs[index].id == id {
      runs[index].isStopping = true
      runs[index].inFlight -= runs[index].jobs.count
      runs[index].jobs = []
    }
    for entry in entries where id == nil || entry.run == id { abandon(entry.jobs) }
  }

  private func abandon(_ jobs: [PictureJob]) {
    for job in jobs { job.abandon(MediaError(.misuse, "was stopped")) }
  }

  /// Removes the runs that are over, and returns them.
  mutating func removeEnded() -> [Run] {
    guard runs.contains(where: \.isOver) else { return [] }
    defer { runs.removeAll(where: \.isOver) }
    return runs.filter(\.isOver)
  }

  private func index(of id: RunID) -> Int? { runs.firstIndex { $0.id == id } }

  // MARK: Tasks

  /// Returns the next task for a worker; `nil` if there is none until something changes.
  ///
  /// - Parameters:
  ///   - caller: the run that the thread waits for. It does not ask other runs for photos, because that may take long.
  ///   - hasIdleThread: whether one of the engine's own threads is idle.
  mutating func next(for caller: RunID? = nil, hasIdleThread: Bool = false) -> Task? {
    for entry in entries {
      for job in entry.jobs {
        if let work = job.next() { return .picture(entry.photo, job, work, of: entry.run) }
      }
    }
    // A thread that waits for a run does no job of another run, because that may take long.
    let job = runs.firstIndex { $0.mayStartJob && (caller == nil || caller == $0.id) }
    if let job, entries.count + unsettled < width || runs[job].isNested {
      unsettled += 1
      runs[job].hasJob = true
      return .job(runs[job].jobs.removeFirst(), of: runs[job].id)
    }
    if let index = nextToOpen(for: caller, hasIdleThread) {
      runs[index].isAsking = true
      return .open(runs[index])
    }
    for index in offers.indices where offers[index].work.isOpen {
      offers[index].helpers += 1
      return .help(offers[index].work, offer: offers[index].number)
    }
    return nil
  }

  /// Returns the run whose turn it is: the one with the fewest photos in flight and, among equals, the one that has
  /// waited longest.
  private func nextToOpen(for caller: RunID?, _ hasIdleThread: Bool) -> Int? {
    let hasRoom = entries.count + unsettled < width
    let open = runs.indices.filter { runs[$0].mayOpen(width) && (hasRoom || runs[$0].isNested) }
    let turn = open.min {
      (runs[$0].inFlight, runs[$0].lastPhoto) < (runs[$1].inFlight, runs[$1].lastPhoto)
    }
    guard let turn, let caller, runs[turn].id != caller else { return turn }
    let own = open.first { runs[$0].id == caller }
    guard let own, !runs[own].isNested else { return own }
    // Another worker opens that run's photo as soon as this thread leaves room for it.
    return runs[turn].hasCaller || hasIdleThread ? nil : own
  }

  /// Records a run's answer when asked for its next photo.
  ///
  /// - Returns: the number of the photo, the number of photos of the run up to this one, and whether nothing else is in
  ///   flight.
  mutating func answered(_ id: RunID, hasPhoto: Bool) -> (
    number: Int, count: Int, isAlone: Bool
  ) {
    guard let index = index(of: id) else { return (0, 0, false) }
    runs[index].isAsking = false
    guard hasPhoto else {
      runs[index].isExhausted = true
      return (0, 0, false)
    }
    lastPhoto += 1
    unsettled += 1
    runs[index].inFlight += 1
    runs[index].opened += 1
    runs[index].lastPhoto = lastPhoto
    return (lastPhoto, runs[index].opened, entries.isEmpty && unsettled == 1 && runs.count == 1)
  }

  /// Records that a run answered with a job for one thread, which is queued.
  mutating func answered(_ id: RunID, job: PhotoRequest) {
    guard let index = index(of: id) else { return }
    runs[index].isAsking = false
    guard !runs[index].isStopping else { return }
    runs[index].inFlight += 1
    runs[index].opened += 1
    runs[index].jobs.append(job)
  }

  /// Records the end of a job.
  mutating func endedJob(of id: RunID) {
    if let index = index(of: id) { runs[index].hasJob = false }
  }

  /// Makes a photo's work available to workers.
  mutating func settle(_ photo: PhotoTask, _ jobs: [PictureJob], of id: RunID) {
    if let index = index(of: id), runs[index].isStopping { abandon(jobs) }
    entries.append(Entry(photo: photo, jobs: jobs, run: id))
    entries.sort { $0.photo.number < $1.photo.number }
    unsettled -= 1
  }

  /// Withdraws a photo's work from workers.
  mutating func unsettle(_ photo: PhotoTask) {
    entries.removeAll { $0.photo === photo }
    unsettled += 1
  }

  /// Returns the report of a photo if it is to be delivered now; `nil` while another one of its run is being delivered,
  /// in which case that thread receives this report from `endReport`.
  mutating func beginReport(_ finished: Finished, of id: RunID) -> Finished? {
    guard let index = index(of: id) else { return nil }
    guard !runs[index].isReporting else {
      runs[index].reports.append(finished)
      return nil
    }
    runs[index].isReporting = true
    return finished
  }

  /// Records that a report was delivered, so that its photo is finished.
  ///
  /// - Returns: the next report of the run, if any.
  mutating func endReport(of id: RunID) -> Finished? {
    guard let index = index(of: id) else { return nil }
    unsettled -= 1
    runs[index].inFlight -= 1
    guard !runs[index].reports.isEmpty else {
      runs[index].isReporting = false
      return nil
    }
    return runs[index].reports.removeFirst()
  }

  // MARK: Shared work

  mutating func offer(_ work: any SharedWork) -> Int {
    lastOffer += 1
    offers.append(Offer(number: lastOffer, work: work))
    return lastOffer
  }

  mutating func endedHelp(_ number: Int) {
    for index in offers.indices where offers[index].number == number {
      offers[index].helpers -= 1
    }
  }

  /// Withdraws an offer; returns `nil` while a worker still takes part.
  mutating func withdraw(_ number: Int) -> Void? {
    guard let index = offers.firstIndex(where: { $0.number == number }) else { return () }
    guard offers[index].helpers == 0 else { return nil }
    offers.remove(at: index)
    return ()
  }
}
