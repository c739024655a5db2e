// SPDX-License-Identifier: MIT

extension Argument {
  /// The label in help: `-d, --depth N`, `FILE…`.
  var label: String {
    if isOperand { return operandLabel }
    // Long names are aligned, with or without a short one.
    let names =
      long.isEmpty ? spellings.joined() : (short.map { "-\($0), " } ?? "    ") + "--\(long)"
    if kind == .valuedFlag { return "\(names)[=\(placeholder)]" }
    return takesValue ? "\(names) \(placeholder)" : names
  }

  /// The word in the usage line: `[FILE…]`.
  var usage: String { isRequired ? operandLabel : "[\(operandLabel)]" }

  private var operandLabel: String { isRepeatable ? "\(placeholder)…" : placeholder }

  /// The line that help and completions show, without choices.
  var brief: String { help.firstIndex(of: "\n").map { String(help[..<$0]) } ?? help }

  /// The line that help shows; choices that do not fit are shortened to the first and the last.
  var line: String {
    let whole = remarked(choices)
    guard whole.count > Self.lineLength, let first = choices.first, let last = choices.last else {
      return whole
    }
    return remarked(["\(first) … \(last)"])
  }

  /// The characters of a line of help after the widest label.
  static let lineLength = 70

  /// The sentences that the manual shows, with all choices and the default.
  var description: String {
    let details = help.dropFirst(brief.count + 1)
    return remarked(choices).sentence + (details.isEmpty ? "" : " \(details).")
  }

  private func remarked(_ choices: [String]) -> String {
    let all = choices.isEmpty ? [] : [choices.joined(separator: ", ")]
    let remarks = all + (standard.map { ["default \($0)"] } ?? [])
    return remarks.isEmpty ? brief : "\(brief) (\(remarks.joined(separator: "; ")))"
  }
}

extension [Argument] {
  /// The options under their headings, in the order in which the headings come first.
  var groups: [(heading: String, options: [Argument])] {
    let options = filter { !$0.isOperand }
    return options.reduce(into: []) { groups, option in
      if let index = groups.firstIndex(where: { $0.heading == option.group }) {
        groups[index].options.append(option)
      } else {
        groups.append((option.group, [option]))
      }
    }
  }

  var operands: [Argument] { filter(\.isOperand) }

  /// The usage line after the verb.
  var usage: String { (["[OPTION]…"] + operands.map(\.usage)).joined(separator: " ") }
}
