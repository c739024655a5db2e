// SPDX-License-Identifier: MIT

import ApusBytes

/// The colours of a listing; plain if results have no colours.
struct Palette {
  var paint: (String, Color) -> String = { text, _ in text }

  init() {}
  init(_ console: Console) { paint = console.paint }

  func type(_ text: String) -> String { paint(text, .blue) }
  func place(_ text: String) -> String { paint(text, .dim) }
  func name(_ text: String) -> String { paint(text, .cyan) }

  func severity(_ severity: Finding.Severity) -> String {
    switch severity {
    case .error: paint(severity.rawValue, .red)
    case .warning: paint(severity.rawValue, .yellow)
    case .note: paint(severity.rawValue, .green)
    }
  }
}
