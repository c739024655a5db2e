// SPDX-License-Identifier: MIT

/// Languages in three letters: `eng,deu`.
struct LanguageList: ArgumentValue {
  var languages: [String]

  init?(argument: String) {
    languages = argument.lowercased().split(separator: ",", omittingEmptySubsequences: false).map(
      String.init)
    let isValid = languages.allSatisfy { word in
      word.utf8.count == 3 && word.utf8.allSatisfy { (0x61...0x7a).contains($0) }
    }
    guard isValid else { return nil }
  }

  static var expected: String { "three-letter languages, such as eng,deu" }
  var argument: String { languages.joined(separator: ",") }
}
