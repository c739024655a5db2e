// SPDX-License-Identifier: MIT

internal import ApusSamples

/// Names by which users distinguish renditions (`NAME`).
struct RenditionTitles {
  private var taken: Set<String> = []

  /// Returns a unique name: the title from the input, or the language, or the number.
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
