// SPDX-License-Identifier: MIT

internal import Media
internal import Threads

/// What the workers of an engine have to do: photos in flight, for any number of callers at once.
///
/// It starts no thread and waits for nothing; a `PhotoScheduler` asks it under a lock. A worker is given what the oldest
/// photo in flight has to do. Only when that has nothing for it is it given work of the next one, or asked to begin
/// with another: so as little as possible is in memory, and no worker is idle. Runs take turns, so that a photo alone does
/// not wait for a batch to end.
struct PhotoSchedule {
  typealias RunID = Int

  /// What one caller wants done.
  struct Run {
    let id: RunID
    let next: @Sendable () -> PhotoRequest?
    /// Called once it is over, where no caller waits for that.
    let onEnd: (@Sendable () -> Void)?
    /// Whether a worker began it while it did something else, and waits for it.
    let isNested: Bool
    /// How many photos of it are open, or being opened or closed.
    var inFlight = 0
    var opened = 0
    /// The number of the last of them; 0 before the first.
    var lastPhoto = 0
    var isAsking = false
    var isExhausted = false
    var isStopping = false
    var isReporting = false
    /// The reports that wait while another is being delivered.
    var reports: [Finished] = []
    /// Files whose work one thread does, and of which none has its turn yet.
    var jobs: [PhotoRequest] = []
    /// Whether one of these has its turn.
    var hasJob = false

    /// Whether a thread waits for it, and works on it.
    var hasCaller: Bool { onEnd == nil }
    /// Whether it may be asked for its next file. What waits for its turn is bounded, so that a list of names need not be
    /// read to its end.
    func mayOpen(_ width: Int) -> Bool {
      !isExhausted && !isStopping && !isAsking && jobs.count < width
    }
    var mayStartJob: Bool { !jobs.isEmpty && !hasJob && !isStopping }
    var isOver: Bool { (isExhausted || isStopping) && !isAsking && inFlight == 0 }
  }

  /// What became of a file, and what is to be reported.
  struct Finished {
    let request: PhotoRequest
    let report: PhotoReport
  }

  /// A photo with the picture of it that is being made, and the one that comes after.
  private struct Entry {
    let photo: PhotoTask
    let jobs: [PictureJob]
    let run: RunID
  }

  private struct Offer {
    let number: Int
    let work: any SharedWork
    /// How many workers are in it beside the one that shares it.
    var helpers = 0
  }

  enum Task {
    /// Ask the run for its next photo.
    case open(Run)
    case picture(PhotoTask, PictureJob, PictureProgress.Work, of: RunID)
    /// Do the work on a file that is no photo.
    case job(PhotoRequest, of: RunID)
    /// Take part in what another worker does.
    case help(any SharedWork, offer: Int)
  }

  /// How many photos may be in flight.
  let width: Int
  /// The runs that are not over, oldest first.
  private var runs: [Run] = []
  /// Photos that workers have begun with, oldest first.
  private var entries: [Entry] = []
  /// Photos that a worker opens or closes and that have nothing to do for others.
  private var unsettled = 0
  /// Work that idle workers may take part in, oldest first.
  private var offers: [Offer] = []
  private var lastRun = 0
  private var lastPhoto = 0
  private var lastOffer = 0

  init(width: Int) { self.width = width }

  var isIdle: Bool { runs.isEmpty }
  /// How many runs are not over.
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

  /// Takes back a run that no worker has begun.
  mutating func remove(_ id: RunID) { runs.removeAll { $0.id == id } }

  func isOver(_ id: RunID) -> Bool { index(of: id) == nil }

  func isStopping(_ id: RunID) -> Bool {
    index(of: id).map { runs[$0].isStopping } ?? true
  }

  /// Begins no further photo of a run, or of any, and abandons those in flight.
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

  /// Forgets the runs that are over, and returns them.
  mutating func removeEnded() -> [Run] {
    guard runs.contains(where: \.isOver) else { return [] }
    defer { runs.removeAll(where: \.isOver) }
    return runs.filter(\.isOver)
  }

  private func index(of id: RunID) -> Int? { runs.firstIndex { $0.id == id } }

  // MARK: Tasks

  /// What a worker should do now; `nil` where there is nothing until something has changed.
  ///
  /// - Parameters:
  ///   - caller: the run that the thread waits for. It asks no other for photos, which may take long.
  ///   - hasIdleThread: whether a thread of the engine's own has nothing to do.
  mutating func next(for caller: RunID? = nil, hasIdleThread: Bool = false) -> Task? {
    for entry in entries {
      for job in entry.jobs {
        if let work = job.next() { return .picture(entry.photo, job, work, of: entry.run) }
      }
    }
    // A thread that waits for a run does no job of another one, which may take long.
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

  /// The run whose turn it is: the one with the fewest photos in flight, and of several the one that has waited longest.
  private func nextToOpen(for caller: RunID?, _ hasIdleThread: Bool) -> Int? {
    let hasRoom = entries.count + unsettled < width
    let open = runs.indices.filter { runs[$0].mayOpen(width) && (hasRoom || runs[$0].isNested) }
    let turn = open.min {
      (runs[$0].inFlight, runs[$0].lastPhoto) < (runs[$1].inFlight, runs[$1].lastPhoto)
    }
    guard let turn, let caller, runs[turn].id != caller else { return turn }
    let own = open.first { runs[$0].id == caller }
    guard let own, !runs[own].isNested else { return own }
    // Another worker opens that one, as soon as this thread leaves room for it.
    return runs[turn].hasCaller || hasIdleThread ? nil : own
  }

  /// What a run answered when it was asked for its next photo.
  ///
  /// - Returns: the number of the photo, how many the run has had with it, and whether nothing else is in flight.
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

  /// A run answered with a file whose work one thread does, and which waits for its turn.
  mutating func answered(_ id: RunID, job: PhotoRequest) {
    guard let index = index(of: id) else { return }
    runs[index].isAsking = false
    guard !runs[index].isStopping else { return }
    runs[index].inFlight += 1
    runs[index].opened += 1
    runs[index].jobs.append(job)
  }

  /// The work on a file that is no photo has come to its end.
  mutating func endedJob(of id: RunID) {
    if let index = index(of: id) { runs[index].hasJob = false }
  }

  /// Puts a photo where workers see what there is to do for it.
  mutating func settle(_ photo: PhotoTask, _ jobs: [PictureJob], of id: RunID) {
    if let index = index(of: id), runs[index].isStopping { abandon(jobs) }
    entries.append(Entry(photo: photo, jobs: jobs, run: id))
    entries.sort { $0.photo.number < $1.photo.number }
    unsettled -= 1
  }

  /// Takes a photo from where workers see it.
  mutating func unsettle(_ photo: PhotoTask) {
    entries.removeAll { $0.photo === photo }
    unsettled += 1
  }

  /// The report of a photo, to be delivered now; `nil` while another of its run is: the thread that delivers that one gets
  /// this one from `endReport`.
  mutating func beginReport(_ finished: Finished, of id: RunID) -> Finished? {
    guard let index = index(of: id) else { return nil }
    guard !runs[index].isReporting else {
      runs[index].reports.append(finished)
      return nil
    }
    runs[index].isReporting = true
    return finished
  }

  /// A report was handed over: the photo is done.
  ///
  /// - Returns: the next one of the run.
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

  /// Takes an offer back; `nil` while a worker is in it.
  mutating func withdraw(_ number: Int) -> Void? {
    guard let index = offers.firstIndex(where: { $0.number == number }) else { return () }
    guard offers[index].helpers == 0 else { return nil }
    offers.remove(at: index)
    return ()
  }
}
