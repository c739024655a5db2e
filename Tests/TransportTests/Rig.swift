// SPDX-License-Identifier: MIT

import ApusBytes
import ApusTransport
import FLV
import RTMP
import Testing

/// A loop for one test, with a listener and clients of ours on it, all on the test's thread.
final class Rig {
  let loop: EventLoop
  var listener: Listener?

  /// What the listener's links said.
  var received: [ReceivedTag] = []
  var requests: [ServerRequest] = []
  var serverEnds: [SessionError?] = []
  var streamEnds = 0
  var opened = 0
  /// The links, the last one last.
  var links: [ServerLink] = []
  /// What a request is answered with; `nil` accepts.
  var answer: (ServerLink, ServerRequest) -> Status? = { _, _ in nil }
  var accepts = true
  var keepsTags = true
  /// Told of every event of the listener's links, after the above is kept.
  var onServer: (ServerLink, ServerLinkEvent) -> Void = { _, _ in }

  /// The loop's clock, where time passes only when the test says so.
  let clock: ManualClock?

  init() throws {
    clock = nil
    loop = try EventLoop()
  }

  init(_ clock: ManualClock) throws {
    self.clock = clock
    loop = try EventLoop(clock: clock.clock)
  }

  /// Lets the loop do what waits, once.
  func turn() {
    loop.after(0) { [loop] in loop.stop() }
    loop.run()
  }

  /// Lets time pass whenever the client reaches a state, until the client ends.
  func exhaust(_ client: Client, at state: ClientState, _ nanoseconds: Int64) {
    var seen = 0
    while !client.isEnded {
      run { client.isEnded || client.states.count { $0 == state } > seen }
      seen = client.states.count { $0 == state }
      clock?.advance(by: nanoseconds)
    }
  }

  func listen(
    _ host: String = "127.0.0.1", _ options: ListenerOptions = ListenerOptions(),
    _ configuration: ServerConfiguration = ServerConfiguration()
  ) throws {
    listener = try Listener(host: host, port: 0, configuration, options, on: loop) {
      [unowned self] link, event in
      take(link, event)
    }
  }

  var port: UInt16 { listener?.port ?? 0 }

  private func take(_ link: ServerLink, _ event: ServerLinkEvent) {
    switch event {
    case .opened:
      opened += 1
      links.append(link)
    case .request(let request):
      requests.append(request)
      if let status = answer(link, request) {
        link.refuse(status)
      } else if accepts {
        link.accept()
      }
    case .tag(let tag): if keepsTags { received.append(tag) }
    case .streamEnded: streamEnds += 1
    case .ended(let error): serverEnds.append(error)
    default: break
    }
    onServer(link, event)
    check()
  }

  static func address(
    _ host: String, _ port: UInt16, _ scheme: Address.Scheme = .rtmp
  ) -> Address {
    Address(scheme: scheme, host: host, port: port, app: "live", key: StreamKey("secret"))
  }

  static func address(_ port: UInt16) -> Address { address("127.0.0.1", port) }

  private var isDone: (() -> Bool)?

  /// Runs until the condition holds after some event. What takes five minutes fails.
  func run(
    until isDone: @escaping () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard !isDone() else { return }
    self.isDone = isDone
    let limit = loop.after(300_000_000_000) { [loop] in
      Issue.record("it takes too long", sourceLocation: sourceLocation)
      loop.stop()
    }
    loop.run()
    loop.cancel(limit)
    self.isDone = nil
  }

  /// Something happened.
  func check() { if isDone?() == true { loop.stop() } }
}

/// What a client link said.
final class Client {
  var states: [ClientState] = []
  var tags: [ReceivedTag] = []
  var statuses: [Status] = []
  var drained = 0
  /// `nil` until the link ended.
  var ended: Result<Void, SessionError>?
  private var opened: ClientLink?

  var link: ClientLink {
    get throws { try #require(opened) }
  }

  init(
    _ rig: Rig, _ address: Address, _ purpose: ClientConfiguration.Purpose = .publish,
    _ options: ClientOptions = ClientOptions(),
    _ onEvent: @escaping (ClientLink, ClientLinkEvent) -> Void = { _, _ in }
  ) {
    let link = ClientLink(ClientConfiguration(address, for: purpose), options, on: rig.loop) {
      [unowned self] link, event in
      switch event {
      case .state(let state): states.append(state)
      case .tag(let tag): tags.append(tag)
      case .status(let status): statuses.append(status)
      case .drained: drained += 1
      case .ended(let error): ended = error.map { .failure($0) } ?? .success(())
      default: break
      }
      onEvent(link, event)
      rig.check()
    }
    opened = link
    link.open()
  }

  var error: SessionError? {
    if case .failure(let error) = ended { error } else { nil }
  }
  var isEnded: Bool { ended != nil }
}

enum Tags {
  /// Metadata, sound and pictures, one of them larger than a chunk.
  static let few: [OutgoingTag] = [
    sample(.script, at: 0, [2, 0, 10] + Array("onMetaData".utf8) + [8, 0, 0, 0, 0, 0, 0, 9]),
    sample(.video, at: 0, [0x90] + Array("hvc1".utf8) + [1, 2, 3, 4, 5]),
    sample(.audio, at: 0, [0xaf, 0, 0x12, 0x10]),
    sample(.video, at: 0, [0x91] + (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 31) }),
    sample(.audio, at: 23, [0xaf, 1, 0x21, 0x22]),
    sample(.video, at: 33, [0xa1] + [UInt8](repeating: 5, count: 70_000)),
  ]

  static func sample(_ type: TagType, at time: Int64, _ bytes: [UInt8]) -> OutgoingTag {
    let middle = min(5, bytes.count)
    return OutgoingTag(
      type, time: time, head: Array(bytes[..<middle]), payload: Extent(Array(bytes[middle...])))
  }

  static func bytes(_ tags: [OutgoingTag]) throws -> [[UInt8]] {
    try tags.map { $0.head + (try $0.payload.bytes()) }
  }
}
