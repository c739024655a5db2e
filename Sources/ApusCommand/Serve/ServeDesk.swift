// SPDX-License-Identifier: MIT

import Files
import HTTP

/// Carries requests from their bodies to their answers. What needs no worker is answered at once. Where answers are kept,
/// nothing is made twice: several requests for the same at the same time are answered with one.
final class ServeDesk: Sendable {
  let queue: ServeQueue
  private let options: ServeService.Options
  private let metrics: ServeMetrics
  private let crew: ServeCrew
  private let cache: ServeCache?
  private let flights = ServeFlights()
  private let front = ServeFront()

  init(_ options: ServeService.Options, _ cache: ServeCache?, _ metrics: ServeMetrics) {
    self.options = options
    self.cache = cache
    self.metrics = metrics
    crew = ServeCrew(options.isolation, requestsEach: options.requestsEach)
    queue = ServeQueue(
      workers: options.workers, most: options.queue, mostSeconds: options.mostWait)
  }

  /// Starts the threads and processes that work. Returns whether there is one of each at least.
  func begin() -> Bool {
    crew.begin()
    return front.start() && queue.start { [crew] in crew.prepare() }
  }

  /// What is counted, in the text format of Prometheus.
  var metricsText: String {
    var cached = cache?.counts
    cached?.shared = flights.shared
    return metrics.text(queue, crew.counts, cached)
  }

  // MARK: - Clients of HTTP

  /// Answers a request, at once or later.
  func serve(
    _ exchange: HTTPExchange, _ route: ServeRoute, _ query: [HTTPHead.Field], _ body: SpoolSource
  ) {
    let client = ServeClient(exchange: exchange, came: .now)
    front.add { [self] in look(client, route, query, body) }
  }

  private func look(
    _ client: ServeClient, _ route: ServeRoute, _ query: [HTTPHead.Field], _ body: SpoolSource
  ) {
    let begun = ContinuousClock.now
    guard client.isThere else { return client.exchange.answer(Problem.abandoned.answer) }
    do {
      let inquiry = try ServeInquiry(route, query, body, client.exchange.head)
      guard !client.exchange.head.isMatched(by: inquiry.tag) else {
        var answer = HTTPAnswer(304)
        answer.headers.append(("ETag", inquiry.tag))
        return self.answer(client, answer, begun)
      }
      _ = try inquiry.call(options.limits, threads: 1)
      let key = try cache?.key(inquiry.words, inquiry.file)
      if let key {
        guard flights.begin(key, client) else { return }
        if let answer = cache?.answer(for: key) { return finish(client, key, answer, begun) }
      }
      let refusal = queue.add(inquiry.kind, since: client.came) { [self] threads in
        work(client, inquiry, key, threads)
      }
      if let refusal { finish(client, key, Problem.busy(refusal).answer, begun) }
    } catch {
      answer(client, Self.answer(to: error), begun)
    }
  }

  /// Returns whether the work was carried on to its end at the first go.
  private func work(
    _ first: ServeClient, _ inquiry: ServeInquiry, _ key: String?, _ threads: Int
  ) -> Bool {
    var (client, begun) = (first, ContinuousClock.now)
    while true {
      // Nothing is done for a client that went away while its request waited.
      if client.isThere {
        let (answer, isMade) = answer(inquiry, threads, client: client.exchange.socket)
        if answer.status != Problem.abandoned.status {
          finish(client, key, answer, begun, keeps: isMade)
          return client.exchange === first.exchange
        }
      }
      client.exchange.answer(Problem.abandoned.answer)
      guard let next = key.flatMap(flights.successor) else { return false }
      (client, begun) = (next, .now)
    }
  }

  /// Answers a client, and those that wait for the same.
  ///
  /// - Parameter keeps: whether the answer may be given again.
  private func finish(
    _ client: ServeClient, _ key: String?, _ answer: HTTPAnswer,
    _ begun: ContinuousClock.Instant, keeps: Bool = false
  ) {
    self.answer(client, answer, begun)
    guard let key else { return }
    for other in flights.followers(key) { self.answer(other, answer, .now) }
    // Those that ask before it is kept are answered after that.
    if keeps { cache?.keep(answer, for: key) }
    for other in flights.end(key) { self.answer(other, answer, .now) }
  }

  private func answer(
    _ client: ServeClient, _ answer: HTTPAnswer, _ begun: ContinuousClock.Instant
  ) {
    var answer = answer
    let (waiting, working) = (begun - client.came, ContinuousClock.now - begun)
    metrics.timed(waiting: waiting.inSeconds, working: working.inSeconds)
    answer.headers.append(
      ("Server-Timing", "queue;dur=\(waiting.inMilliseconds), work;dur=\(working.inMilliseconds)"))
    if [200, 304].contains(answer.status), let cache = options.cacheControl {
      answer.headers.append(("Cache-Control", cache))
    }
    client.exchange.answer(answer)
  }

  // MARK: - A program that started the server

  /// The answer to a program that waits for it on this thread.
  func answer(
    _ route: ServeRoute, _ query: [HTTPHead.Field], _ body: SpoolSource, threads: Int
  ) -> HTTPAnswer {
    do {
      let inquiry = try ServeInquiry(route, query, body, HTTPHead("POST", route.path))
      let key = try cache?.key(inquiry.words, inquiry.file)
      if let key, let answer = cache?.answer(for: key) { return answer }
      let (answer, isMade) = answer(inquiry, threads, client: -1)
      if isMade, let key { cache?.keep(answer, for: key) }
      return answer
    } catch {
      return Self.answer(to: error)
    }
  }

  // MARK: - Work

  /// - Returns: the answer, and whether it is the one that the request asks for.
  private func answer(
    _ inquiry: ServeInquiry, _ threads: Int, client: Int32
  ) -> (answer: HTTPAnswer, isMade: Bool) {
    do {
      let call = try inquiry.call(options.limits, threads: threads)
      let job = ServeJob(call: call, crew: crew, limits: options.isolation, client: client)
      switch try job.run(inquiry.file) {
      case .answer(var answer):
        answer.headers.append(("ETag", inquiry.tag))
        return (answer, true)
      case .problem(let problem): return (problem.answer, false)
      }
    } catch {
      return (Self.answer(to: error), false)
    }
  }

  private static func answer(to error: any Error) -> HTTPAnswer {
    switch error {
    case let problem as Problem: problem.answer
    case let error as UsageError: Problem(400, "misuse", error.message).answer
    default: Problem(500, "io", "\(error)").answer
    }
  }
}
