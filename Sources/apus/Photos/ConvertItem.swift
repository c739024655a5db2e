// SPDX-License-Identifier: MIT

import Files
import Glibc
import Stills
import Synchronization

/// One photo of a run, from its name to its report.
final class ConvertItem: Sendable {
  let name: InputName
  /// The file as it was when its turn came; `nil` where there was none.
  let file: FileIdentity?
  /// What an export does with it; `nil` for what is converted.
  let decision: FileDecision?
  /// The video that goes beside its output.
  private let found = Mutex<LiveVideo?>(nil)
  private let skips = Mutex<[String]>([])
  /// What a process that ended left of it.
  private let traces = Mutex(Traces())

  /// What was written of a photo before it was finished.
  struct Traces: Sendable {
    /// Whether a run before this one had begun with it, and was cut short.
    var wasCutShort = false
    /// Files that were whole, by the names that they were about to get.
    var finished: [String: FileIdentity] = [:]
    /// Outputs that stand under their names, by the names that were asked for.
    var made: [String: String] = [:]
    /// Files that are nothing, for they were not finished.
    var begun: [String] = []
    /// What was answered about its outputs.
    var claims: [String: OutputClaims.Claim] = [:]
    /// What was answered to attempts before, which the next one is answered again.
    var earlierClaims: [String: OutputClaims.Claim] = [:]
  }

  init(_ name: InputName, _ decision: FileDecision? = nil) {
    self.name = name
    self.decision = decision
    file = FileIdentity(name.path == "-" ? "/dev/stdin" : name.path)
  }

  /// Outputs that were there already and stayed.
  var skipped: [String] { skips.withLock { $0 } }

  /// What its output ends with, where that is not what outputs of the run do.
  var pathExtension: String? { decision?.pathExtension }

  /// Whether its bytes are copied.
  var isCopied: Bool { if case .copy = decision?.action { true } else { false } }

  var video: LiveVideo? {
    get { found.withLock { $0 } }
    set { found.withLock { $0 = newValue } }
  }

  /// Whether its outputs may be those of a run that was cut short before it was done with the photo.
  var wasCutShort: Bool { traces.withLock { $0.wasCutShort } }

  /// Outputs of an earlier attempt, which this one may write again.
  var made: [String: String] { traces.withLock { $0.made } }

  func note<Result: Sendable>(_ change: (inout Traces) -> Result) -> Result {
    traces.withLock { change(&$0) }
  }

  /// Settles what an attempt has left, before another one begins.
  func settleAttempt() {
    note { traces in
      for (path, file) in traces.finished {
        if let name = file.name(near: path) { traces.made[path] = name }
      }
      traces.finished = [:]
      for path in traces.begun { removeFile(path) }
      traces.begun = []
      traces.earlierClaims = traces.claims
    }
  }

  func skip(_ output: String) { skips.withLock { $0.append(output) } }
}
