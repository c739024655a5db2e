// SPDX-License-Identifier: MIT

import ApusBytes

extension JSONWriter {
  /// Writes a finding, in the form that all schemas share.
  mutating func finding(_ finding: Finding) {
    object { json in
      json.field("severity", finding.severity.rawValue)
      json.field("rule", finding.rule)
      json.field("path", finding.path)
      json.field("offset", finding.offset)
      json.field("message", finding.message)
    }
  }
}
