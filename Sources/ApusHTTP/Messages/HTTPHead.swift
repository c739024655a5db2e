// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The part of a request before its body.
public struct HTTPHead: Hashable, Sendable {
  /// The method as received, such as `GET`.
  public var method: String
  /// The path, unescaped, from its first slash.
  public var path: String
  /// The items after the question mark, unescaped, in order; a name without `=` has no value.
  public var query: [Field] = []
  /// The header fields in order; names may appear more than once.
  public var headers: [Field] = []
  /// The name of the request in logs: the one chosen by its client, or one made by the server.
  public private(set) var id = ""

  /// A header field, or an item of the query.
  public struct Field: Hashable, Sendable {
    /// The name, in the case in which it was received.
    public var name: String
    /// The value; `nil` for an item of the query without `=`.
    public var value: String?

    public init(_ name: String, _ value: String?) {
      self.name = name
      self.value = value
    }
  }

  public init(_ method: String, _ path: String) {
    self.method = method
    self.path = path
  }

  /// The header with the name of a request for both client and server.
  static let idHeader = "X-Request-Id"
  private static let longestID = 128

  /// Chooses a name for the request.
  mutating func identify() {
    if let own = header(Self.idHeader), (1...Self.longestID).contains(own.utf8.count),
      own.utf8.allSatisfy({ (0x21..<0x7f).contains($0) })
    {
      id = own
    } else {
      id = UInt64.random(in: 0...UInt64.max).hexadecimal(width: 16)
    }
  }

  /// Returns the value of the first header with that name, whatever its case.
  public func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }

  /// Returns the value of the first query item with that name.
  public func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// Returns whether the client already has the content with the tag: `If-None-Match` (RFC 9110, 13.1.2).
  public func isMatched(by tag: String) -> Bool {
    headers.contains { header in
      header.name.lowercased() == "if-none-match"
        && (header.value ?? "").split(separator: ",").contains { listed in
          let listed = listed.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
          return listed == tag || listed == "W/" + tag
        }
    }
  }

  /// The size of the body in bytes, if the request declares it.
  public var contentLength: Int? { header("Content-Length").flatMap { Int($0) } }
}
