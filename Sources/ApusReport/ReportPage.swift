// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A page about one file, or about two that are compared: a single file of HTML without dependencies.
///
/// The same values give the same bytes. Everything can be read without scripts.
public struct ReportPage {
  private let files: [ReportContents]

  /// Creates a page about one file.
  public init(_ contents: ReportContents) { files = [contents] }

  /// Creates a page about two files that are compared.
  public init(comparing left: ReportContents, with right: ReportContents) { files = [left, right] }

  /// Returns the page in UTF-8.
  public func bytes() -> [UInt8] {
    var html = HTMLWriter()
    html.doctype()
    html.element("html", [.word("lang", "en")]) { html in
      html.element("head") { html in writeHead(to: &html) }
      html.line()
      html.element("body") { html in writeBody(to: &html) }
    }
    html.line()
    return html.bytes
  }

  private var title: String { files.map(\.title).joined(separator: " and ") }

  private func writeHead(to html: inout HTMLWriter) {
    html.open("meta", [.word("charset", "utf-8")])
    html.open(
      "meta",
      [.word("http-equiv", "Content-Security-Policy"), .data("content", policy)])
    html.open(
      "meta",
      [.word("name", "viewport"), .word("content", "width=device-width, initial-scale=1")])
    html.open("meta", [.word("name", "color-scheme"), .word("content", "light dark")])
    html.element("title", "\(title) · apus report")
    html.embed(.style, in: "style")
  }

  /// The policy: nothing is loaded; the one script and the one style sheet are identified by their digests.
  private var policy: String {
    let pictures = files.contains { !$0.pictures.isEmpty } ? "; img-src data:" : ""
    return "default-src 'none'; script-src \(EmbeddedFile.script.source); "
      + "style-src \(EmbeddedFile.style.source)\(pictures); base-uri 'none'; form-action 'none'"
  }

  private func writeBody(to html: inout HTMLWriter) {
    html.element("a", [.class("skip"), .link(to: "content")], "Go to the contents")
    html.element("header") { html in
      html.element("p", [.class("brand")], "apus report")
      html.element("h1", title)
    }
    let all = files.enumerated().map { (index, file) in
      (file, sections(of: file, PlaceNames(prefix: index == 0 ? "" : "2:")))
    }
    let differences =
      files.count == 2
      ? DifferencesSection(left: files[0], right: files[1], PlaceNames(prefix: "2:")) : nil
    html.element("nav", [.label("Parts of this page")]) { html in
      html.element("ul") { html in
        if let differences { writeLink(differences, to: &html) }
        for section in all[0].1 { writeLink(section, to: &html) }
        if all.count == 2 { writeLink(all[1].1[0], named: "Second file", to: &html) }
      }
    }
    html.element("main", [.id("content")]) { html in
      if let differences { write(differences, to: &html) }
      for (file, sections) in all {
        if all.count > 1 { html.element("h2", [.class("file")], file.title) }
        for section in sections { write(section, to: &html) }
      }
    }
    html.element(
      "div",
      [
        .class("status"), .id("status"), .role("status"), .word("aria-live", "polite"),
        .flag("hidden"),
      ],
      "")
    html.embed(.script, in: "script")
  }

  private func writeLink(
    _ section: any PageSection, named name: String? = nil, to html: inout HTMLWriter
  ) {
    html.element("li") { html in
      html.element("a", [.link(to: section.id)], name ?? section.title)
    }
  }

  private func write(_ section: any PageSection, to html: inout HTMLWriter) {
    html.element("section", [.id(section.id), .data("aria-labelledby", "h-\(section.id)")]) {
      html in
      html.element("h2", [.id("h-\(section.id)")], section.title)
      section.write(to: &html)
    }
    html.line()
  }

  private func sections(of file: ReportContents, _ place: PlaceNames) -> [any PageSection] {
    let all: [any PageSection] = [
      VerdictSection(contents: file, place: place), FactsSection(contents: file, place: place),
      PicturesSection(contents: file, place: place), MapSection(contents: file, place: place),
      TimeSection(contents: file, place: place), ItemsSection(contents: file, place: place),
      TreeSection(contents: file, place: place), RawSection(contents: file, place: place),
    ]
    return all.filter { !$0.isEmpty }
  }
}
