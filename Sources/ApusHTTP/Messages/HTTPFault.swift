// SPDX-License-Identifier: MIT

/// The reason why a server refuses a request regardless of its target. The connection is closed after the answer,
/// because programs between client and server may see another end of the request.
public struct HTTPFault: Hashable, Sendable {
  /// The status code of the answer: 400, 501 or 503.
  public var status: Int
  /// The reason, in a form that needs no escaping in JSON.
  public var detail: String

  init(_ status: Int, _ detail: String) {
    self.status = status
    self.detail = detail
  }

  /// The answer in the form of RFC 9457.
  public var answer: HTTPAnswer {
    let title = status == 501 ? "Not implemented" : status == 503 ? "Busy" : "Bad request"
    let kind = status == 503 ? "busy" : "misuse"
    // None of the texts here needs escaping.
    let text =
      "{\"title\":\"\(title)\",\"status\":\(status),\"detail\":\"\(detail)\","
      + "\"kind\":\"\(kind)\",\"message\":\"\(detail)\"}\n"
    var answer = HTTPAnswer(status, "application/problem+json", .bytes(Array(text.utf8)))
    answer.headers.append(("Connection", "close"))
    if status == 503 { answer.headers.append(("Retry-After", "1")) }
    return answer
  }
}

extension HTTPHead {
  /// Returns the fault of a head that RFC 9112 forbids, above all one that makes two programs disagree about the end of
  /// the request.
  func fault(version: String) -> HTTPFault? {
    func values(_ name: String) -> [String] {
      headers.filter { $0.name.lowercased() == name }.map { $0.value ?? "" }
    }
    guard headers.allSatisfy({ Self.isToken($0.name) }) else {
      return HTTPFault(400, "the name of a header is no token")
    }
    let hosts = values("host")
    guard hosts.count == 1 || hosts.isEmpty && version != "HTTP/1.1" else {
      return HTTPFault(400, "a request has one Host")
    }
    let lengths = values("content-length")
    let codings = values("transfer-encoding")
    guard lengths.isEmpty || codings.isEmpty else {
      return HTTPFault(400, "a request has Content-Length or Transfer-Encoding, not both")
    }
    guard lengths.count <= 1, lengths.allSatisfy({ Self.isNumber($0) }) else {
      return HTTPFault(400, "a request has one Content-Length, which is a number")
    }
    guard let coding = codings.first else { return nil }
    guard version == "HTTP/1.1" else {
      return HTTPFault(400, "Transfer-Encoding needs HTTP/1.1")
    }
    return codings.count == 1 && coding.lowercased() == "chunked"
      ? nil : HTTPFault(501, "the only Transfer-Encoding is chunked")
  }

  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20)
          || "!#$%&'*+-.^_`|~".utf8.contains($0)
      }
  }
}
