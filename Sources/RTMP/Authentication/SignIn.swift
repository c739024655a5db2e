// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The sign-in of a client when a server refuses `connect` because a user is missing: it connects again with the user
/// in a query after the app, is given a challenge, and connects once more with the answer.
struct SignIn: Sendable {
  enum Scheme: String, CaseIterable, Sendable {
    case adobe
    case limelight = "llnw"
  }

  /// The text to be appended to the app and the URL of the next `connect`.
  private(set) var query = ""
  private var hasAnswered = false

  /// Returns whether a refusal asks for a user at all.
  static func isAsked(by description: String) -> Bool { scheme(in: description) != nil }

  private static func scheme(in description: String) -> Scheme? {
    Scheme.allCases.first { description.holds("authmod=" + $0.rawValue) }
  }

  /// Processes the text of a refusal; afterwards `query` is what to connect with.
  ///
  /// - Parameter nonce: 32 random bits, in hexadecimal.
  mutating func answer(
    _ description: String, as credentials: Credentials?, app: String, nonce: String
  ) throws(SessionError) {
    guard let scheme = Self.scheme(in: description) else {
      throw SessionError(.unauthorized, "the server requires an unknown kind of authentication")
    }
    guard let credentials else {
      throw SessionError(.unauthorized, "the server requires a user and a password")
    }
    let isWrong = ["authfailed", "nosuchuser"].contains { description.holds("reason=" + $0) }
    guard !isWrong, !hasAnswered else {
      throw SessionError(.unauthorized, "the server rejects this user and password")
    }
    let mark = app.contains("?") ? "&" : "?"
    let start = mark + "authmod=\(scheme.rawValue)&user=\(credentials.user)"
    if description.holds("code=403 need auth") {
      query = start
      return
    }
    guard description.holds("reason=needauth") else {
      throw SessionError(.unauthorized, "the server requires a user but sends no challenge")
    }
    let fields = Self.fields(of: description)
    hasAnswered = true
    query =
      switch scheme {
      case .adobe: start + Self.adobe(fields, credentials, nonce)
      case .limelight: start + Self.limelight(fields, credentials, app, nonce)
      }
  }

  /// Returns the fields of the query in the text: `[ AccessManager.Reject ] : [ authmod=adobe ] : ?reason=…&salt=…`.
  private static func fields(of description: String) -> [String: String] {
    let query = description.split(separator: "?").last ?? ""
    return query.prefix { $0 != " " }.split(separator: "&").reduce(into: [:]) { fields, field in
      let name = field.prefix { $0 != "=" }
      fields[String(name)] = String(field.dropFirst(name.count).dropFirst())
    }
  }
}
