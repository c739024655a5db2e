// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusHTTP
import ApusJSON
import Synchronization

/// Answers requests: some at once, the others by a worker.
final class RequestHandler: HTTPHandler {
  struct Options: Sendable {
    var workers = 1
    var queue = 64
    var mostBytes = 100 << 20
    /// The limits for every verb.
    var limits = VerbLimits()
    var isolation = IsolationLimits()
    /// The number of requests after which a process is replaced.
    var requestsEach = 100
    var cacheControl: String?
  }

  private let dispatcher: Dispatcher
  private let options: Options
  private let keys: ClientKeys
  private let log: RequestLog
  private let metrics = RequestMetrics()
  private let start = SuspendingClock.now
  private let isDraining = Atomic(false)

  init(_ options: Options, _ keys: ClientKeys, _ log: RequestLog) {
    self.options = options
    self.keys = keys
    self.log = log
    dispatcher = Dispatcher(options, metrics)
  }

  /// Starts the worker threads and processes. Returns whether there is at least one.
  func begin() -> Bool { dispatcher.begin() }

  /// Refuses further requests; those under way continue.
  func drain() { isDraining.store(true, ordering: .sequentiallyConsistent) }

  // MARK: - Requests

  func admit(_ head: HTTPHead) -> HTTPAdmission {
    do throws(Problem) {
      let request = try request(head)
      switch request {
      case .answer(let answer): return .answer(answer)
      case .job: return .body(atMost: options.mostBytes)
      }
    } catch {
      return .answer(error.answer)
    }
  }

  func serve(_ exchange: HTTPExchange) {
    do throws(Problem) {
      guard case .job(let route, let query) = try request(exchange.head) else {
        return exchange.answer(HTTPAnswer(404))
      }
      guard let body = exchange.body, body.count > 0 else {
        throw Problem(400, "misuse", "the request has no body, which is the file")
      }
      dispatcher.serve(exchange, route, query, body)
    } catch {
      exchange.answer(error.answer)
    }
  }

  func answer(to failure: HTTPBodyFailure) -> HTTPAnswer {
    switch failure {
    case .tooLarge: tooLarge("more bytes").answer
    case .noRoom: Problem(507, "io", "there is no room in TMPDIR for the body").answer
    }
  }

  private func tooLarge(_ size: String) -> Problem {
    Problem(
      413, "limit", "the body has \(size), and --max-body allows \(options.mostBytes >> 20) MiB")
  }

  func ended(_ exchange: HTTPExchange) {
    var (status, bytes) = exchange.outcome
    // The client disconnected, so no answer reached it.
    if status == 0, exchange.isWhole { status = Problem.abandoned.status }
    if status == Problem.abandoned.status { metrics.abandoned() }
    let path = exchange.head.path
    let isKnown = Route.all.contains { $0.path == path } || Self.pages.contains(path)
    // Not what the head declares, which may be any number.
    let received = exchange.received
    metrics.count(isKnown ? path : "other", status, bytesIn: received, bytesOut: bytes)
    log.write(
      exchange.head, status, bytesIn: received, bytesOut: bytes,
      SuspendingClock.now - exchange.start)
  }

  // MARK: - Decisions

  private enum Request {
    case answer(HTTPAnswer)
    case job(Route, [HTTPHead.Field])
  }

  /// The answer of Imaginary at this path, as far as the values exist here.
  private var health: String {
    let (waiting, running) = dispatcher.queue.counts
    var json = JSONWriter("")
    json.object { json in
      json.field("status", "ok")
      json.key("uptime")
      json.number(((SuspendingClock.now - start) / .seconds(1)).rounded(.down))
      json.field("cpus", dispatcher.queue.workers)
      json.field("running", running)
      json.field("waiting", waiting)
      json.field("confinement", Confinement.means)
    }
    json.endDocument()
    return json.output
  }

  private static let pages: Set = ["/", "/health", "/ready", "/metrics", "/v1/openapi.json"]

  private func request(_ head: HTTPHead) throws(Problem) -> Request {
    let isDraining = isDraining.load(ordering: .sequentiallyConsistent)
    switch head.path {
    case "/health": return .answer(try page(head, "application/json", health))
    case "/ready":
      if isDraining || dispatcher.queue.isFull { throw Problem.busy }
      return .answer(try page(head, "text/plain", "ready\n"))
    default: break
    }
    guard keys.admit(head) else {
      throw Problem(401, "misuse", "the request has no key, or one that is not known")
    }
    switch head.path {
    case "/":
      guard head.header("Accept")?.holds("text/html") == true else {
        return .answer(try page(head, "application/json", "{\"apus\":\"\(About.version)\"}\n"))
      }
      return .answer(try page(head, "text/html; charset=utf-8", StartPage.text))
    case "/metrics":
      return .answer(try page(head, "text/plain; version=0.0.4", dispatcher.metricsText))
    case "/v1/openapi.json":
      return .answer(try page(head, "application/json", OpenAPIDescription.text))
    default: break
    }
    guard let route = Route.all.first(where: { $0.path == head.path }) else {
      throw Problem(404, "misuse", "there is nothing at \(head.path)")
    }
    guard head.method == "POST" else {
      throw Problem(head.path, takes: "POST", "POST, with the file as the body")
    }
    if let count = head.contentLength, count > options.mostBytes {
      throw tooLarge("\(count) bytes")
    }
    let query = head.query.filter { $0.name != "key" }
    guard head.query.count - query.count <= 1 else {
      throw Problem(400, "misuse", "the parameter key is given twice")
    }
    do throws(UsageError) {
      _ = try route.call(query, of: nil, options.limits, workers: 1)
    } catch {
      throw Problem(400, "misuse", error.message)
    }
    guard !isDraining else {
      throw Problem(503, "busy", "the server is ending")
    }
    if dispatcher.queue.isFull { throw Problem.busy }
    return .job(route, query)
  }

  private func page(_ head: HTTPHead, _ type: String, _ text: String) throws(Problem) -> HTTPAnswer
  {
    guard head.method == "GET" || head.method == "HEAD" else {
      throw Problem(head.path, takes: "GET, HEAD", "GET")
    }
    return HTTPAnswer(200, type, .bytes(Array(text.utf8)))
  }
}

extension Duration {
  /// Formats a duration in milliseconds, with one decimal.
  var inMilliseconds: String {
    (self / .milliseconds(1)).decimal(places: 1...1)
  }
}
