// SPDX-License-Identifier: MIT

import ApusFiles
import ApusHTTP
import ApusJSON

/// The reason why a request was not carried out, in the form of RFC 9457.
struct Problem: Error, Hashable, Sendable {
  var status: Int
  /// A word for programs, as in the reports of `convert`.
  var kind: String
  var detail: String
  /// The place in the file.
  var path = ""
  var offset: Int?
  /// The number of seconds after which another try is worthwhile.
  var retryAfter: Int?
  /// The methods of the path, if the request has another.
  private var allowed: String?

  init(_ status: Int, _ kind: String, _ detail: String) {
    self.status = status
    self.kind = kind
    self.detail = detail
  }

  /// - Parameter allowed: the methods of the path.
  init(_ path: String, takes allowed: String, _ what: String) {
    self.init(405, "misuse", "\(path) takes \(what)")
    self.allowed = allowed
  }

  /// Creates a problem from the error in a photo's report.
  init(_ error: JSONValue) {
    kind = error["kind"]?.text ?? "io"
    detail = error["message"]?.text ?? "it failed"
    path = error["path"]?.text ?? ""
    offset = error["offset"]?.integer
    status = Self.status(of: kind)
  }

  /// The entry for a request whose client closed its connection before the answer, with the status that other servers
  /// use too.
  static let abandoned = Problem(499, "abandoned", "the client closed the connection")

  /// Thrown when the maximum number of requests is waiting.
  static let busy: Problem = {
    var problem = Problem(503, "busy", "as many requests wait as --queue allows")
    problem.retryAfter = 1
    return problem
  }()

  private static func status(of kind: String) -> Int {
    switch kind {
    case "unsupported": 415
    case "limit": 413
    case "memory": 503
    case "io", "missing", "crash": 500
    case "misuse": 400
    default: 422
    }
  }

  private static func title(of status: Int) -> String {
    switch status {
    case 400: "The request is wrong"
    case 401: "A key is needed"
    case 404: "There is nothing at this path"
    case 405: "The method is another"
    case 413: "It is too large"
    case 415: "It is of a kind that is not read"
    case 422: "Nothing can be made of the file"
    case 429, 503: "The server is busy"
    case 499: "The client is gone"
    case 504: "It took too long"
    case 507: "There is no room for it"
    default: "The server failed"
    }
  }

  var answer: HTTPAnswer {
    var json = JSONWriter("")
    json.object { json in
      json.field("title", Self.title(of: status))
      json.field("status", status)
      json.field("detail", detail)
      json.field("kind", kind)
      // The field in which clients of Imaginary look for it.
      json.field("message", detail)
      if !path.isEmpty { json.field("path", path) }
      if let offset { json.field("offset", offset) }
    }
    json.endDocument()
    var answer = HTTPAnswer(status, "application/problem+json", .bytes(Array(json.output.utf8)))
    if let retryAfter { answer.headers.append(("Retry-After", String(retryAfter))) }
    if let allowed { answer.headers.append(("Allow", allowed)) }
    if status == 401 { answer.headers.append(("WWW-Authenticate", "Bearer")) }
    return answer
  }
}
