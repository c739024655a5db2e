// SPDX-License-Identifier: MIT

internal import ApusThreads
internal import CApusSockets
internal import Glibc

/// Resolves names to addresses.
enum Resolver {
  enum Outcome: Sendable {
    /// The addresses, at least one, in the order in which they should be tried.
    case addresses([SocketAddress])
    /// The reason, in the resolver's words.
    case failure(String)
  }

  /// Asks the system's resolver, which may block unless the name is an address.
  static func resolve(
    _ host: String, port: UInt16, isPassive: Bool = false, isNumeric: Bool = false
  )
    -> Outcome
  {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_NUMERICSERV
    if isPassive { unsafe hints.ai_flags |= AI_PASSIVE }
    if isNumeric { unsafe hints.ai_flags |= AI_NUMERICHOST }
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else {
      let words =
        code == EAI_SYSTEM
        ? TransportError.reason(errno) : unsafe String(cString: gai_strerror(code)).lowercased()
      return .failure(words)
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var entry = unsafe list
    while let current = unsafe entry {
      if let address = unsafe SocketAddress(current.pointee.ai_addr, current.pointee.ai_addrlen) {
        addresses.append(address)
      }
      unsafe entry = current.pointee.ai_next
    }
    return addresses.isEmpty ? .failure("the name has no address") : .addresses(addresses)
  }

  /// Asks on a separate thread, and answers on the loop. If the answer is no longer needed, the thread ends when the system's
  /// resolver gives up.
  static func resolve(
    _ host: String, port: UInt16, on loop: EventLoop, _ answer: @escaping (Outcome) -> Void
  ) {
    // An address needs no thread.
    if case .addresses(let addresses) = resolve(host, port: port, isNumeric: true) {
      return loop.soon { answer(.addresses(addresses)) }
    }
    let question = Question(host, port, loop, answer)
    guard !Thread.start({ question.ask() }) else { return }
    loop.soon { answer(.failure("no thread can be created for it")) }
  }

  /// A name that is being resolved on a thread.
  private final class Question: @unchecked Sendable {
    private let host: String
    private let port: UInt16
    private let loop: EventLoop
    // Used only on the loop's thread, before the question is asked and after it is answered.
    private var answer: ((Outcome) -> Void)?

    init(
      _ host: String, _ port: UInt16, _ loop: EventLoop, _ answer: @escaping (Outcome) -> Void
    ) {
      self.host = host
      self.port = port
      self.loop = loop
      self.answer = answer
    }

    func ask() {
      let outcome = Resolver.resolve(host, port: port)
      loop.perform {
        self.answer?(outcome)
        self.answer = nil
      }
    }
  }
}
