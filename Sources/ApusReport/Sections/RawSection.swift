// SPDX-License-Identifier: MIT

internal import ApusFacts

/// The JSON output of other verbs for the file.
struct RawSection: PageSection {
  let contents: ReportContents
  let place: PlaceNames

  var id: String { place("raw") }
  var title: String { "JSON" }
  var isEmpty: Bool { contents.documents.isEmpty }

  /// The most bytes in all documents together, so that the page can be mailed.
  private static let most = 250_000

  func write(to html: inout HTMLWriter) {
    html.note("The output of these commands.")
    var left = Self.most
    for document in contents.documents {
      let size = document.json.utf8.count
      guard size <= left else {
        html.element("p", [.class("note")]) { html in
          html.text("The output of ")
          html.element("code", [.class("command")], document.command)
          html.text(" has \(Quantity.bytes(size)), too much for this page.")
        }
        continue
      }
      left -= size
      html.element("details", [.class("document")]) { html in
        html.element("summary") { html in
          html.element("code", document.command)
          html.element("span", [.class("at")], Quantity.bytes(size))
        }
        html.element(
          "pre",
          [
            .class("json"), .id(place("json-\(document.name.asIdentifier)")),
            .data("data-name", "\(document.name.asIdentifier).json"), .number("tabindex", 0),
          ], document.json)
      }
    }
  }
}
