// SPDX-License-Identifier: MIT

import ApusFiles
import ApusHTTP

/// Passes requests with complete bodies to workers, and sends their answers.
final class Dispatcher: Sendable {
  let queue: RequestQueue
  private let options: RequestHandler.Options
  private let metrics: RequestMetrics
  private let pool: ProcessPool

  init(_ options: RequestHandler.Options, _ metrics: RequestMetrics) {
    self.options = options
    self.metrics = metrics
    pool = ProcessPool(options.isolation, requestsEach: options.requestsEach)
    queue = RequestQueue(workers: options.workers, most: options.queue)
  }

  /// Starts the worker threads and processes. Returns whether at least one of each was started.
  func begin() -> Bool {
    pool.begin()
    return queue.start { [pool] in pool.prepare() }
  }

  /// The counts, in the text format of Prometheus.
  var metricsText: String { metrics.text(queue, pool.counts) }

  /// Answers a request when its turn comes, or at once if too many are waiting.
  func serve(
    _ exchange: HTTPExchange, _ route: Route, _ query: [HTTPHead.Field], _ body: SpoolSource
  ) {
    let client = WaitingClient(exchange: exchange, came: .now)
    let isAdded = queue.add(route.path) { [self] threads in
      work(client, route, query, body, threads)
    }
    if !isAdded { answer(client, Problem.busy.answer, client.came) }
  }

  private func work(
    _ client: WaitingClient, _ route: Route, _ query: [HTTPHead.Field], _ body: SpoolSource,
    _ threads: Int
  ) {
    let begun = SuspendingClock.now
    // A request is not processed if its client disconnected while it was waiting.
    guard client.isThere else { return client.exchange.answer(Problem.abandoned.answer) }
    do {
      let inquiry = try Inquiry(route, query, body, client.exchange.head)
      let answer = try answer(inquiry, threads, client.exchange)
      guard answer.status != Problem.abandoned.status else { return client.exchange.answer(answer) }
      self.answer(client, answer, begun)
    } catch {
      answer(client, Self.answer(to: error), begun)
    }
  }

  private func answer(
    _ client: WaitingClient, _ answer: HTTPAnswer, _ begun: SuspendingClock.Instant
  ) {
    var answer = answer
    let (waiting, working) = (begun - client.came, SuspendingClock.now - begun)
    metrics.timed(waiting: waiting / .seconds(1), working: working / .seconds(1))
    answer.headers.append(
      ("Server-Timing", "queue;dur=\(waiting.inMilliseconds), work;dur=\(working.inMilliseconds)"))
    if [200, 304].contains(answer.status), let cache = options.cacheControl {
      answer.headers.append(("Cache-Control", cache))
    }
    client.exchange.answer(answer)
  }

  private func answer(
    _ inquiry: Inquiry, _ threads: Int, _ exchange: HTTPExchange
  ) throws -> HTTPAnswer {
    var answer = HTTPAnswer(304)
    if !exchange.head.isMatched(by: inquiry.tag) {
      let call = try inquiry.call(options.limits, threads: threads)
      let job = RequestJob(
        call: call, pool: pool, limits: options.isolation, client: exchange.socket)
      switch try job.run(inquiry.file) {
      case .answer(let own): answer = own
      case .problem(let problem): return problem.answer
      }
    }
    answer.headers.append(("ETag", inquiry.tag))
    return answer
  }

  private static func answer(to error: any Error) -> HTTPAnswer {
    switch error {
    case let problem as Problem: problem.answer
    case let error as UsageError: Problem(400, "misuse", error.message).answer
    default: Problem(500, "io", "\(error)").answer
    }
  }
}
