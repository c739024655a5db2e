// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A file of `Resources`, which the compiler builds into the program.
struct EmbeddedFile {
  let bytes: [UInt8]

  static let script = EmbeddedFile(bytes: PackageResources.report_js)
  static let style = EmbeddedFile(bytes: PackageResources.report_css)
  static let clauses = EmbeddedFile(bytes: PackageResources.clauses_tsv)

  /// The source expression for a policy that allows exactly this text: `'sha256-…'`.
  var source: String { "'sha256-\(Base64.text(SHA256.digest(of: bytes)))'" }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}
