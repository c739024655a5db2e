// SPDX-License-Identifier: MIT

/// Which request is worked on next, and with how many threads.
///
/// It starts no thread and waits for nothing; a `ServeQueue` asks it under a lock. Requests of one kind are begun in the
/// order in which they came. One that takes little time does not wait for all that take much: each is due a multiple of
/// its own time after it came, and what is due first is begun first. While all workers have long requests, a short one,
/// which would wait for longer than it takes, is worked on beside them.
struct ServeSchedule: Sendable {
  /// Works on a request with so many threads. Returns whether that took as long as such requests take; work that was
  /// broken off does not.
  typealias Job = @Sendable (_ threads: Int) -> Bool

  /// Who asks for a request.
  enum Lane: Hashable, Sendable {
    /// A worker, which has any.
    case any
    /// The one beside the workers, which has only short ones.
    case short
  }

  /// A request to begin with.
  struct Start: Sendable {
    var number: Int
    var threads: Int
    var job: Job
  }

  private struct Entry: Sendable {
    var kind: ServeKind
    var came: ContinuousClock.Instant
    var job: Job
  }

  private struct Work: Sendable {
    var kind: ServeKind
    var lane: Lane
    var begun: ContinuousClock.Instant
    var seconds: Double
    var threads: Int
  }

  /// How many requests are worked on at a time, short ones beside them aside, and with how many threads in all.
  let workers: Int
  private var entries: [Entry] = []
  private var works: [Int: Work] = [:]
  private var lastNumber = 0
  private var times = ServeTimes()

  /// How many times its own time a request is due after it came.
  private static let patience = 4.0
  /// No request is overtaken by one that came so many seconds later.
  private static let mostPatience = 2.0
  /// One request is short beside another that is expected to take so many times as long.
  private static let ratio = 8.0

  init(workers: Int) { self.workers = workers }

  var waiting: Int { entries.count }
  var running: Int { works.count }
  /// How many workers have something to do.
  var busy: Int { works.values.count { $0.lane == .any } }

  mutating func add(_ kind: ServeKind, at time: ContinuousClock.Instant, _ job: @escaping Job) {
    entries.append(Entry(kind: kind, came: time, job: job))
  }

  /// What a worker should begin with; `nil` where there is nothing for it.
  mutating func next(_ lane: Lane, at time: ContinuousClock.Instant) -> Start? {
    var candidates = Array(entries.indices)
    if lane == .short {
      let others = works.values.filter { $0.lane == .any }
      guard others.count >= workers, let least = others.map(\.seconds).min() else { return nil }
      candidates.removeAll { !Self.isShort(times.expected(entries[$0].kind), beside: least) }
    }
    guard let index = candidates.map({ (due(entries[$0]), $0) }).min(by: <)?.1 else { return nil }
    let (kind, seconds) = (entries[index].kind, times.expected(entries[index].kind))
    let entry = entries.remove(at: index)
    let threads = lane == .short ? 1 : share(of: seconds)
    lastNumber += 1
    works[lastNumber] = Work(
      kind: kind, lane: lane, begun: time, seconds: seconds, threads: threads)
    return Start(number: lastNumber, threads: threads, job: entry.job)
  }

  /// A request is done.
  ///
  /// - Parameter isTypical: whether it took as long as such requests take.
  mutating func ended(_ number: Int, isTypical: Bool, at time: ContinuousClock.Instant) {
    guard let work = works.removeValue(forKey: number), isTypical else { return }
    times.add((time - work.begun).inSeconds, work.kind)
  }

  /// How many seconds a further request waits until a worker is free.
  func wait(at time: ContinuousClock.Instant) -> Double {
    guard entries.count + busy >= workers else { return 0 }
    let left = works.values.reduce(0) { $0 + max($1.seconds - (time - $1.begun).inSeconds, 0) }
    return entries.reduce(left) { $0 + times.expected($1.kind) } / Double(workers)
  }

  // MARK: - Rules

  private func due(_ entry: Entry) -> ContinuousClock.Instant {
    let seconds = min(times.expected(entry.kind) * Self.patience, Self.mostPatience)
    return entry.came + .seconds(seconds)
  }

  private static func isShort(_ seconds: Double, beside other: Double) -> Bool {
    seconds * ratio <= other
  }

  /// How many threads a request has that takes so long. What is over long before it is done takes none from it.
  private func share(of seconds: Double) -> Int {
    let taken = works.values.reduce(0) {
      Self.isShort($1.seconds, beside: seconds) ? $0 : $0 + $1.threads
    }
    let waiting = entries.count { !Self.isShort(times.expected($0.kind), beside: seconds) }
    return Self.threads(processors: workers, taken: taken, waiting: waiting)
  }

  /// How many threads a request has: its share of those that no other has, with those that wait; one at least. A photo
  /// that is decoded by one thread costs the least, but one that is alone is done sooner by all.
  static func threads(processors: Int, taken: Int, waiting: Int) -> Int {
    let free = max(processors - taken, 1)
    return (free + waiting) / (waiting + 1)
  }
}
