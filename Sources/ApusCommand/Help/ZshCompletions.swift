// SPDX-License-Identifier: MIT

/// A completion function for zsh, as a file in its `fpath`.
struct ZshCompletions {
  var text: String {
    """
    #compdef apus
    # zsh completion for apus, printed by: apus completions zsh
    _apus() {
      if (( CURRENT == 2 )); then
        local -a verbs=(
    \(firstWords.map(entry).joined(separator: "\n"))
        )
        _describe -t verbs verb verbs
        _arguments '(- *)'{-h,--help}'[show the help]' '(- *)'{-V,--version}'[show the version]'
        return
      fi
      local verb=$words[2]
      case $verb in
    \(verbGroups.map(group).joined(separator: "\n"))
      esac
      shift words
      (( CURRENT-- ))
      case $verb in
    \(verbs.map(verb).joined(separator: "\n"))
      esac
    }
    if [[ $funcstack[1] == _apus ]]; then _apus "$@"; else compdef _apus apus; fi

    """
  }

  private func entry(_ name: String, _ summary: String) -> String {
    "      \("\(name):\(summary)".shellQuoted)"
  }

  private func group(_ group: VerbGroup) -> String {
    """
        \(group.name))
          if (( CURRENT == 3 )); then
            local -a verbs=(
    \(group.verbs.map { entry($0.lastName, $0.summary) }.joined(separator: "\n"))
            )
            _describe -t verbs verb verbs
            return
          fi
          verb+=" $words[3]"
          shift words
          (( CURRENT-- ));;
    """
  }

  private func verb(_ verb: any Verb.Type) -> String {
    let specifications = verb.arguments.map { "        \(specification($0))" }
    return """
          \(verb.name.shellQuoted)) _arguments -s -S \\
      \(specifications.joined(separator: " \\\n"));;
      """
  }

  /// An argument in the language of `_arguments`.
  private func specification(_ argument: Argument) -> String {
    let value =
      ":\(escaped(argument.placeholder)):\(action(argument))"
    switch argument.kind {
    case .operand(let required, let repeatable):
      return ((repeatable ? "*" : required ? "" : ":") + value).shellQuoted
    case .flag, .valuedFlag, .option:
      // A value that may be left out follows an equals sign alone.
      if argument.kind == .valuedFlag {
        return "--\(argument.long)=-[\(escaped(argument.brief))]:\(value)".shellQuoted
      }
      let names = argument.spellings
      let marked = names.map { name in
        guard argument.takesValue else { return name }
        return name + (name.hasPrefix("--") ? "=" : "+")
      }
      let prefix = argument.isRepeatable ? "*" : "(\(names.joined(separator: " ")))"
      let rest = "[\(escaped(argument.brief))]" + (argument.takesValue ? value : "")
      let list = marked.count > 1 ? "{\(marked.joined(separator: ","))}" : marked[0].shellQuoted
      return prefix.shellQuoted + list + rest.shellQuoted
    }
  }

  private func action(_ argument: Argument) -> String {
    if !argument.choices.isEmpty { return "(\(argument.choices.joined(separator: " ")))" }
    switch argument.completion {
    case .nothing: return " "
    case .files: return "_files"
    case .folders: return "_files -/"
    }
  }

  private func escaped(_ text: String) -> String {
    text.reduce(into: "") { out, character in
      if "[]:\\".contains(character) { out += "\\" }
      out.append(character)
    }
  }
}
