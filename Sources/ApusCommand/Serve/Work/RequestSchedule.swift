// SPDX-License-Identifier: MIT

/// The order in which requests are carried out, and the number of threads for each.
///
/// It starts no thread and does not wait; a `RequestQueue` calls it under a lock. Requests for one path are started in
/// the order in which they came, and paths take turns: the next request is one for the path whose turn was longest ago.
struct RequestSchedule: Sendable {
  /// Carries out a request with this many threads.
  typealias Job = @Sendable (_ threads: Int) -> Void

  /// A request to be started.
  struct Start: Sendable {
    var number: Int
    var threads: Int
    var job: Job
  }

  private struct Entry: Sendable {
    var path: String
    var job: Job
  }

  /// The number of requests that are carried out at a time, which share as many threads.
  let workers: Int
  private var entries: [Entry] = []
  /// The number of threads for each current request, by its number.
  private var works: [Int: Int] = [:]
  private var lastNumber = 0
  /// The number of the request that was started last for each path.
  private var turns: [String: Int] = [:]

  init(workers: Int) { self.workers = workers }

  var waiting: Int { entries.count }
  var running: Int { works.count }

  mutating func add(_ path: String, _ job: @escaping Job) {
    entries.append(Entry(path: path, job: job))
  }

  /// Returns the request that a worker should start, or `nil` if none is waiting.
  mutating func next() -> Start? {
    func turn(_ entry: Entry) -> Int { turns[entry.path] ?? 0 }
    guard
      let index = entries.indices.min(by: { turn(entries[$0]) < turn(entries[$1]) })
    else { return nil }
    let entry = entries.remove(at: index)
    let threads = Self.threads(
      processors: workers, taken: works.values.reduce(0, +), waiting: entries.count)
    lastNumber += 1
    works[lastNumber] = threads
    turns[entry.path] = lastNumber
    return Start(number: lastNumber, threads: threads, job: entry.job)
  }

  mutating func ended(_ number: Int) { works[number] = nil }

  /// Returns the number of threads for a request: its share of those not in use, together with the waiting requests; at
  /// least one. Decoding a photo with one thread costs the least, but a photo alone is done sooner with all.
  static func threads(processors: Int, taken: Int, waiting: Int) -> Int {
    let free = max(processors - taken, 1)
    return (free + waiting) / (waiting + 1)
  }
}
