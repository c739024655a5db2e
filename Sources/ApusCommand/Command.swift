// SPDX-License-Identifier: MIT

import ApusFFmpeg
import ApusFiles
import ApusStills
import ApusThreads
import CApusPages
import CApusSandbox
import Glibc
import Synchronization

/// The command itself, from its arguments to the exit status.
package enum Command {
  /// Runs the command line and ends the process.
  package static func main() -> Never {
    // The process is ours, and what it touched of its libraries costs more memory than a photo.
    CodeMemory.onRelease { apus_give_back_all() }
    // If a standard descriptor is closed, the next file we open would get it and receive our messages.
    guard openStandardDescriptors() else { _exit(ExitStatus.failed.rawValue) }
    // A closed pipe then is an error of `write`, so that unfinished files are removed first.
    signal(SIGPIPE, SIG_IGN)
    // So is the file size limit: it fails one photo, not the run.
    signal(SIGXFSZ, SIG_IGN)
    let words = CommandWords.all.dropFirst()
    ProcessTitle.hideSecrets()
    DecodingHosts.use { DecodingProcesses.isPossible ? DecodingProcesses() : nil }
    if apus_enlarge_stacks() != 0, Thread.start({ carryOut(words) }) { while true { pause() } }
    carryOut(words)
  }

  private static func carryOut(_ words: ArraySlice<String>) -> Never {
    if let call = CommandWords.all.first.flatMap(DropInCall.init) { _exit(call.run(words)) }
    LastValues.leave()
    // Nothing is left to flush, and the exit handlers of 150 loaded libraries cost time and memory.
    _exit(run(words).rawValue)
  }

  static func verb(named name: String) throws(UsageError) -> any Verb.Type {
    if let verb = (verbs + hiddenVerbs).first(where: { $0.name == name }) { return verb }
    let words = name.split(separator: " ")
    let meant =
      words.count > 1
      ? verbs.map { $0.name }.nearest(to: name) : firstWords.map(\.name).nearest(to: name)
    throw UsageError("unknown verb \(name)" + (meant.map { "; did you mean \($0)?" } ?? ""))
  }

  /// - Parameter words: the words after `apus`.
  static func run(_ words: ArraySlice<String>) -> ExitStatus {
    let console = Console()
    switch words.first {
    case nil:
      console.show(HelpPage.short(console).text)
      return .usage
    case "--version", "-V":
      return finish(console) {
        try console.print("apus \(About.version)")
        return .done
      }
    case "--help", "-h":
      return finish(console) {
        try console.write(HelpPage.overview(console).text)
        return .done
      }
    case let name?:
      do throws(UsageError) {
        guard !name.hasPrefix("-") else {
          throw UsageError("\(name) must follow the verb: apus VERB \(name)")
        }
        if let group = VerbGroup.named(name) { return try run(group, words.dropFirst()) }
        return try run(verb(named: name), words.dropFirst())
      } catch {
        return refuse(console, error, hint: "apus --help")
      }
    }
  }

  private static func run(_ group: VerbGroup, _ words: ArraySlice<String>) throws(UsageError)
    -> ExitStatus
  {
    let console = Console()
    switch words.first {
    case nil:
      console.show(HelpPage.short(group, console).text)
      return .usage
    case "--help", "-h":
      return finish(console) {
        try console.write(HelpPage(group, console).text)
        return .done
      }
    case let word?:
      guard !word.hasPrefix("-") else {
        throw UsageError(
          "\(word) must follow the verb: apus \(group.name) VERB \(word)")
      }
      return try run(verb(named: "\(group.name) \(word)"), words.dropFirst())
    }
  }

  private static func run<V: Verb>(_ type: V.Type, _ words: ArraySlice<String>) -> ExitStatus {
    let hint = "apus \(V.name) --help"
    do {
      let typed = Array(words)
      let (verb, common) = try V.parsed(V.settings(typed) + typed)
      let console = Console(common, of: V.arguments)
      console.runVerb = run
      return finish(console, hint: hint) {
        guard common.help else { return try verb.run(console) }
        try console.write(HelpPage(type, console).text)
        return .done
      }
    } catch let error as UsageError {
      return refuse(Console(), error, hint: hint)
    } catch {
      return finish(Console()) { throw error }
    }
  }

  private static func refuse(_ console: Console, _ error: UsageError, hint: String) -> ExitStatus {
    // A misplaced word may be an address with its key.
    console.say(SecretRanges.masked(error.message))
    console.say("see \(hint)")
    return .usage
  }

  /// Runs the job, flushes its output, and turns an error into a message and a status.
  private static func finish(
    _ console: Console, hint: String = "apus --help", _ job: () throws -> ExitStatus
  ) -> ExitStatus {
    var status = ExitStatus.failed
    do {
      status = try job()
      try console.output.flush()
    } catch let error as UsageError {
      return refuse(console, error, hint: hint)
    } catch {
      if console.output.failure?.code == EPIPE { endByBrokenPipe() }
      if let failure = console.output.failure {
        Console.resultsError.store(failure.code, ordering: .relaxed)
      }
      console.fail("\(error)" + console.advice(on: error))
    }
    let isOwn = [.interrupted, .terminated, .unavailable].contains(status)
    return console.failures > 0 && !isOwn ? .failed : status
  }

  /// Ends the process as SIGPIPE would have, now that outputs are cleaned up.
  private static func endByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    exit(128 + SIGPIPE)
  }
}
