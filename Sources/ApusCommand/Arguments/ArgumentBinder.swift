// SPDX-License-Identifier: MIT

/// Assigns the typed words to the declared properties.
struct ArgumentBinder: ArgumentVisitor {
  var heading = ""
  private let words: [[ArgumentParser.Word]]
  private var next = 0

  /// - Parameter words: what was typed for each argument, in the order of the declaration.
  init(_ words: [[ArgumentParser.Word]]) { self.words = words }

  mutating func visit(_ argument: Argument, assign: (String) throws(Expectation) -> Void)
    throws(UsageError)
  {
    defer { next += 1 }
    guard words.indices.contains(next) else { return }
    for word in words[next] {
      do throws(Expectation) {
        try assign(word.text)
      } catch {
        var message = "\(word.spelling) is \"\(word.text)\", expected \(error.expected)"
        if let meant = argument.choices.nearest(to: word.text) {
          message += "; did you mean \(meant)?"
        }
        throw UsageError(message)
      }
    }
  }
}
