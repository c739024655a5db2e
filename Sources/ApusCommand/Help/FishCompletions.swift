// SPDX-License-Identifier: MIT

/// Completions for fish.
struct FishCompletions {
  var text: String {
    """
    # fish completion for apus, printed by: apus completions fish
    function __apus_verb_is
      set -l words (commandline -opc)
      set -l last (math 1 + (count $argv))
      test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
    end
    function __apus_needs_verb_of
      set -l words (commandline -opc)
      test (count $words) -eq 2; and test $words[2] = $argv[1]
    end
    function __apus_no_verb
      test (count (commandline -opc)) -eq 1
    end
    complete -c apus -f
    complete -c apus -n __apus_no_verb -s h -l help -d 'show the help'
    complete -c apus -n __apus_no_verb -s V -l version -d 'show the version'
    \(verbGroups.map(group).joined(separator: "\n"))
    \(verbs.map(verb).joined(separator: "\n"))

    """
  }

  private func group(_ group: VerbGroup) -> String {
    "complete -c apus -n __apus_no_verb -a \(group.name) -d \(quoted(group.summary))"
  }

  private func verb(_ verb: any Verb.Type) -> String {
    let place = verb.group.map { quoted("__apus_needs_verb_of \($0)") } ?? "__apus_no_verb"
    let first = "complete -c apus -n \(place) -a \(verb.lastName) -d \(quoted(verb.summary))"
    let condition = "complete -c apus -n '__apus_verb_is \(verb.name)'"
    let rest = verb.arguments.compactMap { argument -> String? in
      guard !argument.isOperand else {
        let offer = offer(argument)
        return offer.isEmpty ? nil : condition + offer
      }
      let short = argument.short.map { " -s \($0)" } ?? ""
      let value = argument.takesValue ? (" -r" + offer(argument)) : ""
      return condition + short + " -l \(argument.long)\(value) -d \(quoted(argument.brief))"
    }
    return ([first] + rest).joined(separator: "\n")
  }

  private func offer(_ argument: Argument) -> String {
    if !argument.choices.isEmpty {
      return " -f -a \(quoted(argument.choices.joined(separator: " ")))"
    }
    switch argument.completion {
    case .nothing: return argument.isOperand ? "" : " -f"
    case .files: return " -F"
    case .folders: return " -f -a '(__fish_complete_directories)'"
    }
  }

  /// Returns a text as one word of fish, where a backslash escapes in single quotes.
  private func quoted(_ text: String) -> String {
    let inner = text.reduce(into: "") { out, character in
      if "'\\".contains(character) { out += "\\" }
      out.append(character)
    }
    return "'\(inner)'"
  }
}
