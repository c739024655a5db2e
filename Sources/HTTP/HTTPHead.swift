// SPDX-License-Identifier: MIT

/// What a request says before its body.
public struct HTTPHead: Hashable, Sendable {
  public var method: String
  /// The path, unescaped, from its first slash.
  public var path: String
  /// What follows the question mark, unescaped, in its order; a name without `=` has no value.
  public var query: [Field] = []
  public var headers: [Field] = []

  public struct Field: Hashable, Sendable {
    public var name: String
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

  /// The value of the first header of that name, whatever its case.
  public func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }

  /// The value of the first item of the query of that name.
  public func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// How many bytes the body has, where the request says so beforehand.
  public var contentLength: Int? { header("Content-Length").flatMap { Int($0) } }
}
