// SPDX-License-Identifier: MIT

import ApusJSON
import ApusThreads
import Glibc
import Testing

@testable import ApusCommand
@testable import ApusHTTP

/// Requests that a worker answers without a process.
@Suite struct DispatcherTests {
  private static func dispatcher() -> Dispatcher {
    var options = RequestHandler.Options()
    options.queue = 1
    options.cacheControl = "max-age=9"
    return Dispatcher(options, RequestMetrics())
  }

  /// Returns the answer to a request, which a worker gives after `before`.
  private static func answer(
    _ dispatcher: Dispatcher, _ head: HTTPHead, _ body: [UInt8], from socket: Int32 = -1,
    before: () -> Void = {}
  ) throws -> HTTPAnswer {
    let exchange = HTTPExchange(head, mostBytes: 1000)
    let isAnswered = Monitor(false)
    exchange.wait(socket) { isAnswered.change { $0 = true } }
    let route = try #require(Route.all.first { $0.path == head.path })
    dispatcher.serve(exchange, route, head.query, try InquiryTests.spool(body))
    before()
    #expect(dispatcher.queue.start {})
    let end = MonotonicTime.now + 30_000_000_000
    try #require(isAnswered.wait(until: end) { $0 ? () : nil } != nil)
    return try #require(exchange.answered)
  }

  private static func field(_ name: String, of answer: HTTPAnswer) -> String? {
    answer.headers.first { $0.name == name }?.value
  }

  @Test(arguments: ["%", "\"other\", %", "W/%"])
  func `it does no work for a client that has the answer`(_ given: String) throws {
    let body = Array("a file".utf8)
    let tag = try InquiryTests.inquiry("/v1/convert?srgb", body).tag
    let fields = [("If-None-Match", given.replacing("%", with: tag))]
    let dispatcher = Self.dispatcher()
    let answer = try Self.answer(
      dispatcher, HTTPHead(target: "/v1/convert?srgb", fields), body)
    #expect(answer.status == 304)
    #expect(answer.count == 0)
    #expect(Self.field("ETag", of: answer) == tag)
    #expect(Self.field("Cache-Control", of: answer) == "max-age=9")
    let timing = try #require(Self.field("Server-Timing", of: answer))
    #expect(timing.wholeMatch(of: /queue;dur=\d+\.\d, work;dur=\d+\.\d/) != nil, "\(timing)")
    let found = try RequestMetricsTests.Exposition(dispatcher.metricsText)
    #expect(found["apus_queue_seconds_count"] == 1)
    #expect(found["apus_process_starts_total"] == 0)
  }

  @Test func `it answers with a problem that it finds before its work`() throws {
    let fields = [("Content-Type", "multipart/form-data; boundary=x")]
    let head = HTTPHead(target: "/v1/convert", fields)
    let answer = try Self.answer(Self.dispatcher(), head, Array("--x--\r\n".utf8))
    #expect(answer.status == 400)
    #expect(try ProblemTests.answer(answer).problem["detail"]?.text == "the form has no file")
    for name in ["ETag", "Cache-Control"] { #expect(Self.field(name, of: answer) == nil) }
    #expect(Self.field("Server-Timing", of: answer) != nil)
  }

  @Test func `it does no work for a client that left while it waited`() throws {
    let channel = try Channel(SOCK_STREAM)
    let dispatcher = Self.dispatcher()
    let head = HTTPHead(target: "/v1/convert")
    let answer = try Self.answer(dispatcher, head, [1], from: channel.ends[0]) { channel.close(1) }
    #expect(answer.status == 499)
    let found = try RequestMetricsTests.Exposition(dispatcher.metricsText)
    #expect(found["apus_queue_seconds_count"] == 0)
    #expect(found["apus_process_starts_total"] == 0)
  }
}
