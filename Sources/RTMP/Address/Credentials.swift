// SPDX-License-Identifier: MIT

/// The user and password that some servers require from publishers.
public struct Credentials: Sendable {
  /// The user name, which is not secret.
  public var user: String
  let password: String

  /// Creates credentials; the password is never shown.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { user + ":" + StreamKey.mask }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
