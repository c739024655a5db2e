// SPDX-License-Identifier: MIT

/// What answers the requests of a server. Its functions are called by the server's thread, and return at once.
public protocol HTTPHandler: AnyObject, Sendable {
  /// Decides about a request by its head, before its body is read.
  func admit(_ head: HTTPHead) -> HTTPAdmission

  /// Takes a request whose body is whole. It is answered later, on any thread, by `HTTPExchange.answer`.
  func serve(_ exchange: HTTPExchange)

  /// What is answered when the body of a request was not kept.
  func answer(to failure: HTTPBodyFailure) -> HTTPAnswer

  /// A request is over: it was answered, or its client went away, or it was too slow.
  func ended(_ exchange: HTTPExchange)
}

public enum HTTPAdmission: Sendable {
  /// The body is read, up to so many bytes.
  case body(atMost: Int)
  /// The request is answered without its body.
  case answer(HTTPAnswer)
}

/// Why the body of a request was not kept.
public enum HTTPBodyFailure: Hashable, Sendable {
  /// It has more bytes than it may have.
  case tooLarge
  /// The system has no room for it.
  case noRoom
}
