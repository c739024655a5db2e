// SPDX-License-Identifier: MIT

internal import ApusBytes

/// An attribute of an element. Its name is part of the program, and its value is escaped when it is written, so that
/// nothing from a file can end it.
struct HTMLAttribute {
  let name: StaticString
  /// The value; `nil` for a boolean attribute.
  let value: String?

  private init(_ name: StaticString, _ value: String?) {
    self.name = name
    self.value = value
  }

  static func `class`(_ names: String) -> HTMLAttribute { HTMLAttribute("class", names) }
  static func id(_ id: String) -> HTMLAttribute { HTMLAttribute("id", id) }
  static func role(_ role: StaticString) -> HTMLAttribute { HTMLAttribute("role", "\(role)") }
  static func label(_ text: String) -> HTMLAttribute { HTMLAttribute("aria-label", text) }
  static func title(_ text: String) -> HTMLAttribute { HTMLAttribute("title", text) }
  static func data(_ name: StaticString, _ value: String) -> HTMLAttribute {
    HTMLAttribute(name, value)
  }
  static func number(_ name: StaticString, _ value: Int) -> HTMLAttribute {
    HTMLAttribute(name, "\(value)")
  }
  static func word(_ name: StaticString, _ value: StaticString) -> HTMLAttribute {
    HTMLAttribute(name, "\(value)")
  }
  static func flag(_ name: StaticString) -> HTMLAttribute { HTMLAttribute(name, nil) }

  /// Returns a link to an element on the same page; a page has no others.
  static func link(to id: String) -> HTMLAttribute {
    HTMLAttribute("href", "#" + id.utf8.percentEncoded(allowing: "/:@"))
  }

  /// Returns the source of a picture that is part of the page.
  static func picture(_ bytes: [UInt8], type: StaticString) -> HTMLAttribute {
    HTMLAttribute("src", "data:\(type);base64," + Base64.text(bytes))
  }
}

extension String {
  /// The text as an identifier of an element, which holds no spaces.
  var asIdentifier: String {
    utf8.contains { $0 <= 0x20 } ? String(map { $0.isWhitespace ? "_" : $0 }) : self
  }
}
