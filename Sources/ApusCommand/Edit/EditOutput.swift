// SPDX-License-Identifier: MIT

import ISOBMFF

/// The destination of a verb that changes boxes: another file, or the same one.
struct EditOutput: ArgumentGroup {
  static let heading = "Output"

  var output = OutputOptions()
  var inPlace = false
  var json = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try output.arguments(&v)
    try v.flag(
      "in-place", &inPlace, excludes: ["output"],
      """
      change the file itself
      Only the bytes that differ are written. If sizes change, or if the file has other names (hard \
      links), it is rewritten, and the other names keep the old contents
      """)
    try v.json(&json)
  }
}

extension EditError {
  /// The message with a suggestion.
  var suggestion: String {
    let typed: String
    switch self {
    case .unknownPath(let path, _): typed = path
    case .unknownField(_, let name, _): typed = name
    default: return description
    }
    if let meant = known.nearest(to: typed) { return "\(self); did you mean \(meant)?" }
    guard !known.isEmpty, known.count <= 24 else { return description }
    return "\(self); known names: \(known.joined(separator: ", "))"
  }
}
