// SPDX-License-Identifier: MIT

/// A handler for the requests of a server. Its functions are called by the server's thread, and must return at once.
public protocol HTTPHandler: AnyObject, Sendable {
  /// Decides about a request by its head, before its body is read.
  func admit(_ head: HTTPHead) -> HTTPAdmission

  /// Handles a request whose body is complete. It is answered later, on any thread, with `HTTPExchange.answer`.
  func serve(_ exchange: HTTPExchange)

  /// Returns the answer for a request whose body was not kept.
  func answer(to failure: HTTPBodyFailure) -> HTTPAnswer

  /// Called when a request is over: it was answered, or its client disconnected, or it was too slow.
  func ended(_ exchange: HTTPExchange)
}

/// The decision about a request, made before its body is read.
public enum HTTPAdmission: Sendable {
  /// The body is read, up to this many bytes.
  case body(atMost: Int)
  /// The request is answered without its body.
  case answer(HTTPAnswer)
}

/// The reason why the body of a request was not kept.
public enum HTTPBodyFailure: Hashable, Sendable {
  /// It has more bytes than allowed.
  case tooLarge
  /// The system has no room for it.
  case noRoom
}
