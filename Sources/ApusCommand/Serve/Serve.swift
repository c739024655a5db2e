// SPDX-License-Identifier: MIT

import ApusHTTP
import ApusStills

/// `apus serve`: photos and videos over HTTP, bytes in and bytes out.
struct Serve: Verb {
  static let name = "serve"
  static let summary =
    "answer requests over HTTP: convert, thumbnail, extract, info, inspect, check"
  static let discussion = """
    A request is the file itself, as the body of a POST, and the answer is what the verb of that name makes of it: \
    /v1/convert, /v1/thumbnail, /v1/extract, /v1/info, /v1/inspect, /v1/hvcc/show, /v1/hvcc/check, /v1/flv/show, \
    /v1/flv/check, /v1/report. The options of the verb are parameters: /v1/convert?format=png&quality=80. The same \
    file and options give the same bytes as the command. So curl --data-binary @IMG_1.HEIC \
    http://127.0.0.1:8088/v1/convert -o IMG_1.jpg has a photo converted. /v1/openapi.json lists all of it, and / is \
    a page for a browser.

    Requests are carried out in processes that have neither network nor the right to start programs, and whose \
    memory and time are bounded (--limit). One that crashes costs the request alone that it was working on. A \
    process works on one request at a time, and on --requests-per-process in all; with 1 no two requests ever meet \
    in one. As many are worked on at a time as --jobs says. --queue more may wait: those for one path in the order in \
    which they came, and paths take turns. Further ones get 503 with Retry-After. Bodies are kept in nameless files in \
    TMPDIR.

    What goes wrong is said as RFC 9457 has it, with the kind of error and its place in the file: 400 for a request \
    that is wrong, 401 without a key, 413 for what is beyond a limit, 415 for a kind of file that is not read, 422 for a \
    file that is damaged, 500 for a fault, 503 when busy, 504 for what took too long. A client that closes its \
    connection, or its own side of it, before the answer gets none: its request is dropped or its work ended, and \
    counted as 499.

    It listens on this machine alone unless --listen says otherwise, and speaks plain HTTP: TLS is the business of a \
    proxy before it. --listen unix:PATH makes a socket in the file system; fd:3 is the socket that systemd hands over. \
    --key-file names a file with a key on each line; a request then needs one of them, as Authorization: Bearer KEY, \
    as API-Key: KEY, or as the parameter key. SIGHUP reads that file anew. /health and /ready need no key; /metrics is \
    for Prometheus.

    What the options say may also be in a file that --config names, as lines of NAME = VALUE with the long names, or \
    in the environment, as APUS_LISTEN or APUS_MAX_BODY. The command line wins over the environment, and that over the \
    file. --print-config prints what holds, as such a file.

    An answer has an ETag, which tells the file and the options apart from all others: a client that sends it again \
    as If-None-Match, with the same file, gets 304 without any work. A proxy in front of the server can keep answers; \
    the guide shows how.

    /v1/thumbnail?size=320&size=1024 makes several sizes from one decoding, and answers with one part for each \
    (multipart/mixed).

    SIGTERM ends the server in order: no further requests, those under way are finished within --drain, \
    and the exit status is 0. A second signal ends it at once.
    """
  static let examples = [
    Example("apus serve", "Answers programs of this machine at port 8088."),
    Example(
      "apus serve --listen 0.0.0.0:8088 --key-file keys.txt",
      "Answers everybody who has one of the keys."),
  ]

  var listen = ListenAddress()
  var keyFile: String?
  var jobs: UInt?
  var queue: UInt = 64
  var connections: UInt = 1024
  var headSeconds = MediaTime(milliseconds: 30_000)
  var bodySeconds = MediaTime(milliseconds: 120_000)
  var maxBody: UInt = 100
  var drain = MediaTime(milliseconds: 30_000)
  var requestsPerProcess: UInt = 100
  var log = RequestLog.Form.text
  var cacheControl: String?
  var config: String?
  var printsConfig = false
  var limits = PhotoLimitOptions()

  static func settings(_ typed: [String]) throws -> [String] {
    try ServerSettings.words(arguments, typed: typed) { Terminal.environment($0) }
  }

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option("listen", "ADDRESS", &listen, "HOST:PORT, unix:PATH or fd:NUMBER")
    try v.option(
      "key-file", "FILE", &keyFile, completion: .files,
      "the keys of those who may ask, one on a line")
    try v.option(
      "jobs", short: "j", "N", &jobs,
      "number of requests at a time; default one per processor")
    try v.option("queue", "N", &queue, "how many more requests may wait")
    try v.option(
      "connections", "N", &connections,
      """
      how many connections may be open
      Beyond that, each new one closes one without a request
      """)
    try v.option(
      "head-seconds", "TIME", &headSeconds,
      """
      time to wait for the head of a request
      It counts from connecting, or from the previous answer
      """
    )
    try v.option(
      "body-seconds", "TIME", &bodySeconds, "how long the body of a request may take to arrive")
    try v.option("max-body", "MIB", &maxBody, "how many mebibytes a request may have")
    try v.option("drain", "TIME", &drain, "how long requests under way may take at the end")
    try v.option(
      "requests-per-process", "N", &requestsPerProcess,
      """
      requests per process before it is replaced
      1 is a process for each request
      """
    )
    try v.option("log", "FORM", &log, "form of the request log on standard error")
    try v.option(
      "cache-control", "TEXT", &cacheControl, "what answers say about how long they hold")
    try v.option(
      "config", "FILE", &config, completion: .files, "a file with settings, NAME = VALUE on a line")
    try v.flag("print-config", &printsConfig, "print the settings, and do nothing else")
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    guard (1...1 << 20).contains(maxBody), (1...1 << 20).contains(connections) else {
      throw UsageError("--max-body and --connections are 1 to 1048576")
    }
    guard requestsPerProcess > 0 else { throw UsageError("--requests-per-process is at least 1") }
    guard !printsConfig else {
      var verb = self
      let settings = ArgumentLister.arguments { lister throws(UsageError) in
        try verb.arguments(&lister)
      }
      try console.write(ServerSettings.text(settings, limits: limits.settings))
      return .done
    }
    let keys = try ClientKeys(keyFile)
    if !keys.areNeeded, !listen.isLocal {
      console.warn("there is no --key-file, so everybody who reaches \(listen.argument) can ask")
    }
    var options = RequestHandler.Options()
    options.workers = jobs.map { Int(min(max($0, 1), 1024)) } ?? usableProcessors()
    options.queue = Int(min(queue, 1 << 20))
    options.mostBytes = Int(maxBody) << 20
    options.isolation = limits.isolation
    options.limits = VerbLimits(limits)
    options.cacheControl = cacheControl
    options.requestsEach = Int(clamping: requestsPerProcess)
    var http = HTTPServer.Options()
    http.connections = Int(connections)
    http.headSeconds = headSeconds.wholeSeconds
    http.bodySeconds = bodySeconds.wholeSeconds
    let handler = RequestHandler(options, keys, RequestLog(log))
    return try ServerRun(
      address: listen, options: http, drain: drain, handler: handler, keys: keys
    ).run(console)
  }
}
