// SPDX-License-Identifier: MIT

import ApusTLS
import Files
import Transport

/// Whom a verb believes that speaks to a server over TLS.
struct TrustOptions: ArgumentGroup {
  static let heading = "Network"

  var file: String?
  var isInsecure = false

  var isSet: Bool { file != nil || isInsecure }

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "ca-file", "FILE", &file, completion: .files,
      "trust certificates that those in FILE (PEM) vouch for, and no others")
    try v.flag(
      "insecure", &isInsecure, "accept any certificate, so that anyone in between can read the key")
  }

  /// A file that OpenSSL opens, which is handed its name as text.
  static func checked(_ path: String, _ option: String) throws(UsageError) -> String {
    guard FileName.isPlain(path) else {
      throw UsageError(
        "\(option) \(path) has a name that is no UTF-8; a link to it may have another")
    }
    return path
  }

  func trust(_ console: Console) throws(UsageError) -> TLSTrust {
    guard file == nil || !isInsecure else {
      throw UsageError("--ca-file and --insecure contradict each other")
    }
    if isInsecure {
      console.warn(
        "--insecure: the server's certificate is not checked; anyone in between can take the key, "
          + "and read and change the stream")
      return .none
    }
    guard let file else { return .system }
    return .file(try Self.checked(file, "--ca-file"))
  }
}
