// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A section of a page.
protocol PageSection {
  var id: String { get }
  var title: String { get }
  /// Whether there is nothing to show.
  var isEmpty: Bool { get }
  func write(to html: inout HTMLWriter)
}

/// The names of elements for one file on the page: if there are two files, those of the second have a different prefix.
struct PlaceNames {
  let prefix: String

  func callAsFunction(_ anchor: String) -> String { prefix + anchor }
}

extension HTMLWriter {
  /// Writes a sentence in small type.
  mutating func note(_ text: String) { element("p", [.class("note")], text) }

  /// Writes text that links to an element, if that is on the page.
  mutating func link(_ text: String, to anchor: String?) {
    if let anchor {
      element("a", [.link(to: anchor)], text)
    } else {
      self.text(text)
    }
  }
}

/// Formats numbers for drawings.
enum PlaceText {
  static func hexadecimal(_ offset: Int) -> String { "0x" + offset.hexadecimal() }

  /// Formats a coordinate of a drawing: at most two decimals, without trailing zeros.
  static func coordinate(_ value: Double) -> String {
    value.isFinite ? value.decimal() : "0"
  }
}
