// SPDX-License-Identifier: MIT

internal import Flow

/// Names by which a person tells renditions apart (`NAME`).
struct RenditionTitles {
  private var taken: Set<String> = []

  /// What the input calls it, or its language, or its number; no other of these has it.
  mutating func title(of rendition: HLSReport.Rendition, word: String, number: Int) -> String {
    let given = TrackDetails.isPlaceholder(rendition.title) ? nil : rendition.title
    let base =
      given ?? LanguageTag.of(rendition.language).map { LanguageName.of($0) } ?? "\(word) \(number)"
    var title = base
    var next = 2
    while !taken.insert(title).inserted {
      title = "\(base) \(next)"
      next += 1
    }
    return title
  }
}
