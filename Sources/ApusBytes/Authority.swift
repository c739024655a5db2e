// SPDX-License-Identifier: MIT

/// The part of a URL between the scheme and the path: RFC 3986, 3.2.
package struct Authority: Hashable, Sendable, CustomStringConvertible {
  /// The text before the last `@`, with its escapes.
  package var userInfo: Substring?
  /// The name or address, an IPv6 address without its brackets.
  package var host: String
  package var port: UInt16?

  package init(host: String, port: UInt16? = nil) {
    self.host = host
    self.port = port
  }

  /// - Parameters:
  ///   - leastPort: 0 where the system may choose the port.
  ///   - needsHost: whether an empty host is an error.
  package init(_ text: Substring, leastPort: UInt16 = 1, needsHost: Bool = true)
    throws(SyntaxError)
  {
    var text = text
    if let sign = text.lastIndex(of: "@") {
      userInfo = text[..<sign]
      text = text[text.index(after: sign)...]
    }
    if text.first == "[" {
      guard let bracket = text.firstIndex(of: "]") else {
        throw SyntaxError(
          .invalid, field: "an IPv6 address", detail: "lacks its closing bracket")
      }
      host = String(text[..<bracket].dropFirst())
      text = text[bracket...].dropFirst()
      guard host.contains(":"),
        host.unicodeScalars.allSatisfy({ $0.properties.isASCIIHexDigit || $0 == ":" || $0 == "." })
      else {
        throw SyntaxError(
          .invalid, field: "the text in brackets", detail: "is not an IPv6 address")
      }
    } else {
      host = String(text.prefix { $0 != ":" })
      text = text.dropFirst(host.count)
    }
    guard !host.isEmpty || !needsHost else {
      throw SyntaxError(.invalid, field: "an address", detail: "has no host")
    }
    guard text.isEmpty || text.first == ":" else {
      throw SyntaxError(.invalid, field: "a port", detail: "begins with a colon")
    }
    let digits = text.dropFirst()
    guard !digits.isEmpty else { return }
    guard let number = UInt16(digits), number >= leastPort, digits.first != "+" else {
      throw SyntaxError(
        .invalid, field: "the port",
        detail: "is \(digits), allowed are \(leastPort) to 65535")
    }
    port = number
  }

  /// Host and port as a URL has them.
  package var description: String {
    (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
  }
}
