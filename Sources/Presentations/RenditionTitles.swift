// SPDX-License-Identifier: MIT

internal import Bytes

/// Names by which a person tells renditions apart (`NAME`).
struct RenditionTitles {
  private var taken: Set<String> = []

  /// What the input calls it, or its language, or its number; no other of these has it.
  mutating func title(of rendition: HLSReport.Rendition, word: String, number: Int) -> String {
    let told = Self.isGeneric(rendition.title) ? nil : rendition.title
    let base =
      told ?? LanguageTag.of(rendition.language).map { LanguageName.of($0) } ?? "\(word) \(number)"
    var title = base
    var next = 2
    while !taken.insert(title).inserted {
      title = "\(base) \(next)"
      next += 1
    }
    return title
  }

  /// Whether a name is none that a person gave, but what programs write into the handler of every track.
  private static func isGeneric(_ title: String) -> Bool {
    let lower = title.lowercased()
    return lower.isEmpty || lower.holds("handle")
      || ["core media", "iso media", "gpac", "mainconcept", "#mainconcept"].contains {
        lower.hasPrefix($0)
      }
  }
}
