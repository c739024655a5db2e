// SPDX-License-Identifier: MIT

public import ApusFiles

/// A response of the server.
public struct HTTPAnswer: Sendable {
  /// The source of the bytes of an answer.
  public enum Body: Sendable {
    case bytes([UInt8])
    /// A file, sent by the system without a copy in memory.
    case file(SpoolSource)
    /// A range of a file, which must not change.
    case stretch(FileStretch)
  }

  /// The status code, such as 200.
  public var status: Int
  /// The header fields; the server adds the name of the request.
  public var headers: [(name: String, value: String)] = []
  /// The bytes after the header, of which there may be none.
  public var body: Body

  /// Creates an answer whose body has the content type `type`.
  public init(_ status: Int, _ type: String, _ body: Body) {
    self.status = status
    self.body = body
    headers = [("Content-Type", type)]
  }

  /// Creates an answer without a body.
  public init(_ status: Int) {
    self.status = status
    body = .bytes([])
  }

  /// The size of the body in bytes.
  public var count: Int {
    switch body {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.count
    case .stretch(let stretch): stretch.range.count
    }
  }
}
