// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The two schemes as computed by FFmpeg and the servers; neither was ever published.
extension SignIn {
  /// Combines the server's salt and challenge with our challenge; `opaque` replaces the server's challenge.
  static func adobe(_ fields: [String: String], _ credentials: Credentials, _ nonce: String)
    -> String
  {
    let salted = base64(credentials.user + (fields["salt"] ?? "") + credentials.password)
    let opaque = fields["opaque"]
    let response = base64(salted + (opaque ?? fields["challenge"] ?? "") + nonce)
    let query = "&challenge=\(nonce)&response=\(response)"
    return opaque.map { query + "&opaque=" + $0 } ?? query
  }

  /// Returns a digest much like HTTP's (RFC 2617, 3.2.2).
  static func limelight(
    _ fields: [String: String], _ credentials: Credentials, _ app: String, _ nonce: String
  ) -> String {
    let count = "00000001"
    let server = fields["nonce"] ?? ""
    let name = String(app.prefix { $0 != "?" })
    let user = digest("\(credentials.user):live:\(credentials.password)")
    let target = digest("publish:/" + (name.contains("/") ? name : name + "/_definst_"))
    let response = digest([user, server, count, nonce, "auth", target].joined(separator: ":"))
    return "&nonce=\(server)&cnonce=\(nonce)&nc=\(count)&response=\(response)"
  }

  private static func base64(_ text: String) -> String {
    Base64.text(MD5.digest(of: Array(text.utf8)))
  }

  private static func digest(_ text: String) -> String {
    MD5.digest(of: Array(text.utf8)).hexadecimal()
  }
}
