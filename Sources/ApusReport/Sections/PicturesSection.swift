// SPDX-License-Identifier: MIT

/// Small pictures of the file's contents, if they were requested.
struct PicturesSection: PageSection {
  let contents: ReportContents
  let place: PlaceNames

  var id: String { place("pictures") }
  var title: String { "Pictures" }
  var isEmpty: Bool { contents.pictures.isEmpty }

  func write(to html: inout HTMLWriter) {
    html.element("div", [.class("pictures")]) { html in
      for picture in contents.pictures {
        html.element("figure") { html in
          html.open(
            "img", [.picture(picture.jpeg, type: "image/jpeg"), .data("alt", picture.title)])
          html.element("figcaption", picture.title)
        }
      }
    }
  }
}
