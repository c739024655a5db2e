// SPDX-License-Identifier: MIT

import Bytes

/// The colours of a listing; none where the output is no terminal.
struct Palette {
  static let plain = Palette(isColored: false)
  var isColored: Bool

  func type(_ text: String) -> String { paint(text, "1;34") }
  func place(_ text: String) -> String { paint(text, "2") }
  func name(_ text: String) -> String { paint(text, "36") }

  func severity(_ severity: Finding.Severity) -> String {
    switch severity {
    case .error: paint(severity.rawValue, "1;31")
    case .warning: paint(severity.rawValue, "1;33")
    case .note: paint(severity.rawValue, "1;32")
    }
  }

  private func paint(_ text: String, _ code: String) -> String {
    isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
