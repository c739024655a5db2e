// SPDX-License-Identifier: MIT

internal import ApusTLS
internal import CApusSockets
internal import Glibc
package import RTMP

/// Accepts connections at an address, and drives an RTMP session on each.
package final class Listener {
  package let port: UInt16
  /// The number of open connections.
  package private(set) var connections = 0

  private let loop: EventLoop
  private let configuration: ServerConfiguration
  private let options: ListenerOptions
  private let onEvent: (ServerLink, ServerLinkEvent) -> Void
  private let context: TLSContext?
  private var sockets: [ListeningSocket] = []
  private var lastID = 0
  private var links: [Int: ServerLink] = [:]
  /// The number of bytes held by all connections.
  private var held = 0
  private var isMakingRoom = false

  /// The number of connections beyond the limit that are kept until they were refused with a message; further ones are
  /// closed at once.
  private static let surplus = 32

  /// - Parameters:
  ///   - host: a name or an address, without brackets.
  ///   - port: the port; 0 lets the system choose one.
  package init(
    host: String, port: UInt16, _ configuration: ServerConfiguration,
    _ options: ListenerOptions = ListenerOptions(), on loop: EventLoop,
    _ onEvent: @escaping (ServerLink, ServerLinkEvent) -> Void
  ) throws(TransportError) {
    self.loop = loop
    self.configuration = configuration
    self.options = options
    self.onEvent = onEvent
    if let tls = options.tls {
      do throws(TLSError) {
        context = try TLSContext(certificate: tls.certificate, key: tls.key)
      } catch {
        throw TransportError(error.description)
      }
    } else {
      context = nil
    }
    sockets = try ListeningSocket.open(host, port)
    self.port = sockets.first?.port ?? port
    for socket in sockets {
      let watcher = ClosureWatcher { [weak self, descriptor = socket.descriptor] in
        self?.accept(from: descriptor)
      }
      let code = loop.add(socket.descriptor, watcher, .readable)
      guard code == 0 else { throw .system("wait for connections", code: code) }
    }
  }

  deinit { close() }

  /// Accepts no more connections; existing ones continue.
  package func close() {
    for socket in sockets { loop.remove(socket.descriptor) }
    sockets = []
  }

  /// Accepts some of the waiting connections, so that existing ones get their turn.
  private func accept(from listener: Int32) {
    for _ in 0..<64 where !sockets.isEmpty {
      let (descriptor, address) = SocketAddress.accept(from: listener)
      guard descriptor >= 0 else {
        let code = errno
        if code == ECONNABORTED || code == EINTR { continue }
        if code != EAGAIN { pause(listener) }
        return
      }
      guard connections < options.maxConnections + Self.surplus else {
        Glibc.close(descriptor)
        continue
      }
      begin(descriptor, address?.description ?? "?")
    }
  }

  private func begin(_ descriptor: Int32, _ peer: String) {
    var session: TLSSession?
    if let context {
      do throws(TLSError) {
        session = try TLSSession(context)
      } catch {
        // There is not enough memory for it.
        Glibc.close(descriptor)
        return
      }
    }
    if connections >= options.maxConnections {
      // The oldest, because legitimate clients ask for their stream at once.
      links.values.filter(\.isIdle).min { $0.id < $1.id }?
        .giveWay("the client requested no stream, and was replaced by another")
    }
    var refusal: Status?
    if connections >= options.maxConnections {
      refusal = Status(
        level: "error", code: "NetConnection.Connect.Rejected",
        text: "the server accepts at most \(options.maxConnections) connections; try again later"
      )
    }
    lastID += 1
    connections += 1
    let link = ServerLink(
      id: lastID, peer: peer, configuration, options, refusal: refusal, on: loop, onEvent)
    let id = lastID
    links[id] = link
    link.onRelease = { [weak self] in
      self?.connections -= 1
      self?.links[id] = nil
    }
    link.onHeld = { [weak self] change in self?.count(change) }
    link.begin(descriptor, session, notSentLowWater: options.notSentLowWater)
  }

  private func count(_ change: Int) {
    held += change
    guard held > options.memory, !isMakingRoom else { return }
    isMakingRoom = true
    // Deferred, because the link that holds more is at work.
    loop.soon { [weak self] in self?.makeRoom() }
  }

  /// Closes the connections that hold most: first those without a stream, then players, finally publishers.
  private func makeRoom() {
    isMakingRoom = false
    func rank(_ link: ServerLink) -> (Int, Int) {
      switch link.session.state {
      case .publishing: (0, link.held)
      case .playing, .waiting: (1, link.held)
      case .handshake, .connect, .idle, .ended: (2, link.held)
      }
    }
    while held > options.memory,
      let victim = links.values.filter({ $0.held > 0 }).max(by: { rank($0) < rank($1) })
    {
      victim.giveWay("all connections together hold more than the limit of \(options.memory) bytes")
    }
  }

  /// Pauses, because there are no descriptors or no memory left, until some are released.
  private func pause(_ listener: Int32) {
    loop.change(listener, to: [])
    loop.after(100_000_000) { [weak self] in
      guard let self, sockets.contains(where: { $0.descriptor == listener }) else { return }
      loop.change(listener, to: .readable)
    }
  }
}
