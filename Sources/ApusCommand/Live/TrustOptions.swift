// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusTLS
import ApusTransport

/// The certificates that a verb trusts over TLS.
struct TrustOptions: ArgumentGroup {
  static let heading = "Network"

  var file: String?
  var isInsecure = false

  var isSet: Bool { file != nil || isInsecure }

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "ca-file", "FILE", &file, completion: .files, excludes: ["insecure"],
      "trust only the certificates in FILE (PEM)")
    try v.flag(
      "insecure", &isInsecure, "accept any certificate; an attacker can then read the key")
  }

  /// Returns the path of a file that OpenSSL opens, which must be UTF-8.
  static func checked(_ path: String, _ option: String) throws(UsageError) -> String {
    guard FileName.isPlain(path) else {
      throw UsageError(
        "\(option) \(path): the name is not UTF-8; use a link with another name")
    }
    return path
  }

  func trust(_ console: Console) throws(UsageError) -> TLSTrust {
    if isInsecure {
      console.warn(
        "--insecure: the server's certificate is not checked, so an attacker can steal the key "
          + "and read or change the stream")
      return .none
    }
    guard let file else { return .system }
    return .file(try Self.checked(file, "--ca-file"))
  }
}
