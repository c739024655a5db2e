// SPDX-License-Identifier: MIT

/// A self-contained completion function for bash.
struct BashCompletions {
  var text: String {
    """
    # bash completion for apus, printed by: apus completions bash
    _apus() {
      local IFS=$' \\t\\n'
      local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} words= files= after= i
      local verb=${COMP_WORDS[1]} depth=1
      # bash takes --name=value as three words.
      if [[ $word == "=" ]]; then
        word=
      elif [[ $option == "=" ]]; then
        option=${COMP_WORDS[COMP_CWORD-2]}
      fi
      for ((i = 2; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == -- ]] && after=yes option=
      done
      case $verb in
        \(verbGroups.map(\.name).joined(separator: "|"))) verb+=" ${COMP_WORDS[2]}" depth=2;;
      esac
      if ((COMP_CWORD == 1)); then
        words=\(first.shellQuoted)
      elif ((COMP_CWORD <= depth)); then
        case ${COMP_WORDS[1]} in
    \(verbGroups.map(group).joined(separator: "\n"))
        esac
      else
        case $verb in
    \(verbs.map(verb).joined(separator: "\n"))
        esac
      fi
      COMPREPLY=()
      if [[ -n $files ]]; then
        mapfile -t COMPREPLY < <(compgen "$files" -- "$word")
        compopt -o filenames 2>/dev/null
      elif [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
      fi
      return 0
    }
    complete -F _apus apus

    """
  }

  private var first: String {
    (firstWords.map(\.name) + ["--help", "--version"]).joined(separator: " ")
  }

  private func group(_ group: VerbGroup) -> String {
    let words = group.verbs.map { $0.lastName } + ["--help"]
    return "      \(group.name)) words=\(words.joined(separator: " ").shellQuoted);;"
  }

  private func verb(_ verb: any Verb.Type) -> String {
    let arguments = verb.arguments
    let valued = arguments.filter(\.takesValue).map { argument in
      "          \(argument.spellings.joined(separator: "|"))) \(offer(argument));;"
    }
    let operand = arguments.operands.last.map(offer) ?? ""
    let options = arguments.flatMap(\.spellings).joined(separator: " ")
    return """
          \(verb.name.shellQuoted)) case $option in
      \(valued.joined(separator: "\n"))
                *) if [[ $word == -* && -z $after ]]; then words=\(options.shellQuoted)
                  else \(operand.isEmpty ? ":" : operand)
                  fi;;
              esac;;
      """
  }

  /// Returns the command that sets the words or files to choose from.
  private func offer(_ argument: Argument) -> String {
    if !argument.choices.isEmpty {
      return "words=\(argument.choices.joined(separator: " ").shellQuoted)"
    }
    switch argument.completion {
    case .nothing: return ":"
    case .files: return "files=-f"
    case .folders: return "files=-d"
    }
  }
}
