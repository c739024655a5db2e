// SPDX-License-Identifier: MIT

internal import Bytes
internal import Media

/// Why there is no picture, and where in the file the reason lies.
public struct PhotoFailure: Hashable, Sendable {
  /// A word of `PictureError.Kind` or `SyntaxError.Kind`.
  public var kind: String
  /// The box, where the reason lies in one.
  public var path: String
  public var offset: Int?
  public var message: String

  /// Whether the bytes of the file contradict a standard, or end too soon.
  public var isDamage: Bool {
    let kinds: [String] =
      [SyntaxError.Kind.invalid, .truncated].map(\.rawValue)
      + [PictureError.Kind.corrupt, .incomplete].map(\.rawValue)
    return kinds.contains(kind)
  }

  public init(kind: String, path: String = "", offset: Int? = nil, message: String) {
    self.kind = kind
    self.path = path
    self.offset = offset
    self.message = message
  }
}

extension PhotoFailure: Error, CustomStringConvertible {
  public var description: String { message }
}
