// SPDX-License-Identifier: MIT

/// The colours of every terminal, by SGR number (ECMA-48, 8.3.117).
enum Color: Int {
  case bold = 1
  case dim = 2
  case red = 31
  case green = 32
  case yellow = 33
  case blue = 34
  case magenta = 35
  case cyan = 36

  func around(_ text: String) -> String { "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" }
}
