// SPDX-License-Identifier: MIT

extension String {
  /// The parts between empty lines, each on one line.
  var paragraphs: [String] {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    return lines.split(whereSeparator: \.isEmpty).map { $0.joined(separator: " ") }
  }

  /// The words in lines of at most `width` characters; a longer word gets its own line.
  func wrapped(to width: Int) -> [String] {
    split { $0 == " " || $0 == "\n" }.reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
  }

  /// A summary as a sentence.
  var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
