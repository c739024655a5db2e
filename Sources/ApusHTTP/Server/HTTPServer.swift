// SPDX-License-Identifier: MIT

internal import ApusFiles
public import ApusMedia
internal import ApusThreads
internal import CApusMicroHTTPD
internal import Glibc
internal import Synchronization

/// An HTTP/1.1 server on a listening socket: one thread reads requests and writes answers, and a handler has them
/// processed elsewhere.
///
/// It may be used from several threads: the daemon accepts calls from any thread, and is stopped once.
@safe public final class HTTPServer: @unchecked Sendable {
  /// The limits on connections.
  public struct Options: Hashable, Sendable {
    /// The number of connections beyond which an idle one is closed for each new one.
    public var connections = 1024
    /// The longest silence of a connection, in seconds.
    public var idleSeconds = 30
    /// The longest time for the head of a request, from the end of the previous one, in seconds.
    public var headSeconds = 30
    /// The longest time for the body of a request, in seconds.
    public var bodySeconds = 120

    public init() {}
  }

  fileprivate let library: LibMicroHTTPD
  fileprivate let handler: any HTTPHandler
  fileprivate let options: Options
  fileprivate let connections: ConnectionTable
  private let daemon = Mutex<Daemon?>(nil)
  fileprivate let open = Atomic(0)

  /// The number of connections accepted beyond the limit if none can be closed. They are told that the server is busy,
  /// unless they request something that is answered at once, such as its health.
  private static let room = 16

  /// The number of requests under way, from the last bytes of their bodies to those of their answers.
  public var requests: Int { open.load(ordering: .sequentiallyConsistent) }

  /// - Parameter listener: a listening socket, which the server owns from now on.
  public init(_ listener: Int32, _ options: Options = Options(), handler: any HTTPHandler)
    throws(MediaError)
  {
    library = try LibMicroHTTPD.load()
    self.handler = handler
    self.options = options
    connections = ConnectionTable(most: options.connections)
    var callbacks = unsafe apus_http_callbacks()
    unsafe callbacks.context = Unmanaged.passUnretained(self).toOpaque()
    unsafe callbacks.request = took
    unsafe callbacks.completed = completed
    unsafe callbacks.connection = noticed
    unsafe callbacks.uri = began
    var call = library.call
    let started = unsafe apus_http_start(
      &call, listener, UInt32(clamping: options.connections + Self.room),
      UInt32(clamping: options.idleSeconds), callbacks)
    guard let started = unsafe started else {
      throw MediaError(.io, "the server does not start on its socket")
    }
    daemon.withLock { $0 = unsafe Daemon(pointer: started) }
    let isWatched = Thread.start { [connections, options] in
      while connections.closeLate(options) { sleep(1) }
    }
    guard isWatched else {
      stop()
      throw MediaError.noThread
    }
  }

  /// Accepts no further connections. Open ones continue.
  public func quiesce() {
    let listener = daemon.withLock { daemon in
      daemon.map { unsafe library.call.MHD_quiesce_daemon($0.pointer) } ?? -1
    }
    if listener >= 0 { close(listener) }
  }

  /// Closes every connection, whatever its state. All requests must have been answered.
  public func stop() {
    connections.end()
    let daemon = self.daemon.withLock { $0.take() }
    if let daemon { unsafe library.call.MHD_stop_daemon(daemon.pointer) }
  }

  deinit { stop() }
}

// MARK: - What libmicrohttpd calls

/// Called when the head of a request is complete, with each piece of its body, at its end, and again when it was
/// answered.
private func took(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ path: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
  _ data: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>?,
  _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context = unsafe context, let connection = unsafe connection,
    let path = unsafe path, let method = unsafe method, let count = unsafe count,
    let own = unsafe own
  else { return .NO }
  let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  guard let kept = unsafe own.pointee else {
    var head = unsafe HTTPHead(String(cString: method), String(cString: path))
    unsafe server.library.read(&head, connection)
    head.identify()
    let fault = unsafe server.fault(of: head, version, connection)
    return unsafe server.begin(head, fault, connection, own)
  }
  let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(kept).takeUnretainedValue()
  guard unsafe count.pointee > 0 else { return unsafe server.finish(exchange, connection) }
  let bytes = unsafe UnsafeRawBufferPointer(start: data, count: count.pointee)
  unsafe count.pointee = 0
  let isLate = SuspendingClock.now - exchange.start > .seconds(server.options.bodySeconds)
  guard !isLate else { return .NO }
  return unsafe exchange.add(bytes.bindMemory(to: UInt8.self).span) ? .YES : .NO
}

/// Called with the target of a request, before its headers are read.
private func began(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let context = unsafe context, let target = unsafe target,
    let connection = unsafe connection
  else { return nil }
  let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  server.connections.begin(
    unsafe HTTPTarget(target), at: unsafe server.library.socket(of: connection))
  return nil
}

/// Called when a request is over, however it ended.
private func completed(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ ending: MHD_RequestTerminationCode
) {
  guard let context = unsafe context, let kept = unsafe own?.pointee else { return }
  let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(kept).takeRetainedValue()
  unsafe own?.pointee = nil
  if let connection = unsafe connection {
    server.connections.move(unsafe server.library.socket(of: connection), to: .head)
  }
  exchange.end()
  if exchange.isWhole { server.open.subtract(1, ordering: .sequentiallyConsistent) }
  server.handler.ended(exchange)
}

/// Called when a connection is established, and when it is closed.
private func noticed(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ event: MHD_ConnectionNotificationCode
) {
  guard let context = unsafe context, let connection = unsafe connection else { return }
  let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  let descriptor = unsafe server.library.socket(of: connection)
  if event == .CONNECTION_NOTIFY_STARTED {
    server.connections.add(descriptor)
  } else {
    server.connections.remove(descriptor)
  }
}

extension HTTPServer {
  fileprivate func fault(
    of head: HTTPHead, _ version: UnsafePointer<CChar>?, _ connection: OpaquePointer
  ) -> HTTPFault? {
    guard let version = unsafe version,
      let target = connections.takeTarget(of: unsafe library.socket(of: connection))
    else { return HTTPFault(400, "the request line is incomplete") }
    let isCut = unsafe library.call.version == nil && target.isCut(before: version)
    guard !target.isFaulty, !isCut else {
      return HTTPFault(400, "the target of a request has neither NUL nor spaces")
    }
    return head.fault(version: unsafe String(cString: version))
  }

  /// - Parameter fault: the reason why the request is refused in any case.
  fileprivate func begin(
    _ head: HTTPHead, _ fault: HTTPFault?, _ connection: OpaquePointer,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    connections.move(unsafe library.socket(of: connection), to: .body)
    var admission = fault.map { HTTPAdmission.answer($0.answer) } ?? handler.admit(head)
    var isRefused = fault != nil
    if case .body = admission, connections.isCrowded {
      admission = .answer(HTTPFault(503, "too many connections are open").answer)
      isRefused = true
    }
    let mostBytes = if case .body(let most) = admission { most } else { 0 }
    let exchange = HTTPExchange(head, mostBytes: mostBytes)
    unsafe own.pointee = Unmanaged.passRetained(exchange).toOpaque()
    guard case .answer(let answer) = admission else { return .YES }
    // A short body is read and discarded, so that the client reads the answer and the connection stays open.
    let count = head.header("Transfer-Encoding") == nil ? head.contentLength ?? 0 : Int.max
    guard count > Self.mostForgotten || isRefused else {
      exchange.answer(answer)
      return .YES
    }
    return unsafe send(answer, exchange, connection)
  }

  /// The largest body, in bytes, that is read for a request that was answered from its head.
  private static let mostForgotten = 1 << 20

  /// Passes a complete request to the handler, and suspends the connection.
  fileprivate func finish(_ exchange: HTTPExchange, _ connection: OpaquePointer) -> MHD_Result {
    if let answer = exchange.answered ?? exchange.failure.map(handler.answer) {
      return unsafe send(answer, exchange, connection)
    }
    open.add(1, ordering: .sequentiallyConsistent)
    exchange.isWhole = true
    let library = library
    let waiting = unsafe WaitingConnection(connection: connection)
    unsafe library.call.MHD_suspend_connection(connection)
    connections.move(unsafe library.socket(of: connection), to: .answer)
    exchange.wait(unsafe library.socket(of: connection)) {
      unsafe library.call.MHD_resume_connection(waiting.connection)
    }
    handler.serve(exchange)
    return .YES
  }

  fileprivate func send(
    _ answer: HTTPAnswer, _ exchange: HTTPExchange, _ connection: OpaquePointer
  ) -> MHD_Result {
    var answer = answer
    connections.move(unsafe library.socket(of: connection), to: .answer)
    answer.headers.append((HTTPHead.idHeader, exchange.head.id))
    guard let response = unsafe library.response(answer) else { return .NO }
    defer { unsafe library.call.MHD_destroy_response(response) }
    exchange.sent(answer)
    return unsafe library.call.MHD_queue_response(connection, UInt32(answer.status), response)
  }
}

/// The daemon of libmicrohttpd, which any thread may call.
@safe private struct Daemon: @unchecked Sendable {
  let pointer: OpaquePointer
}

/// A connection that waits for its answer. Any thread may resume it.
@safe private struct WaitingConnection: @unchecked Sendable {
  let connection: OpaquePointer
}
