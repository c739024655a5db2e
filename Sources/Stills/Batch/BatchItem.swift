// SPDX-License-Identifier: MIT

public import Files
internal import Synchronization

/// One file of a batch, from its name to its report.
public final class BatchItem: Sendable {
  /// The place of the file in its batch, from 1, by which processes that work for it speak of the file.
  public let number: Int
  public let name: InputName
  /// What the name of its output may hold beside its own.
  public let fields: NameFields
  /// The file as it was when its turn came; `nil` where there was none.
  public let file: FileIdentity?
  /// What is done with it; `nil` for a photo that is converted.
  public let decision: FileDecision?
  private let state: Mutex<State>

  private struct State {
    /// The video that goes beside its output.
    var video: LiveVideo?
    var skipped: [String] = []
    var traces: Traces
  }

  /// What was written for an item before it was finished.
  public struct Traces: Sendable {
    /// Whether a batch before this one had begun with it, and was cut short.
    public var wasCutShort = false
    /// Outputs that have their names, by the names that were asked for.
    public var made: [String: String] = [:]
    /// Files that were whole, by the names that they were about to get.
    public var finished: [String: FileIdentity] = [:]
    /// Files that are nothing, for they were not finished.
    public var begun: [String] = []
    /// What was answered about its outputs.
    public var claims: [String: OutputClaims.Claim] = [:]
    /// What was answered to attempts before, which the next one is answered again.
    public var earlierClaims: [String: OutputClaims.Claim] = [:]

    public init() {}
  }

  public init(
    _ name: InputName, number: Int, _ fields: NameFields, _ decision: FileDecision? = nil,
    _ traces: Traces = Traces()
  ) {
    self.number = number
    self.name = name
    self.fields = fields
    self.decision = decision
    file = Self.file(of: name)
    state = Mutex(State(traces: traces))
  }

  /// The file of an input; that of standard input is a pipe as a rule.
  static func file(of name: InputName) -> FileIdentity? {
    FileIdentity(name.path == "-" ? "/dev/stdin" : name.path)
  }

  /// Outputs that were there already and stayed.
  public var skipped: [String] {
    get { state.withLock { $0.skipped } }
    set { state.withLock { $0.skipped = newValue } }
  }

  func skip(_ output: String) { state.withLock { $0.skipped.append(output) } }

  var video: LiveVideo? {
    get { state.withLock { $0.video } }
    set { state.withLock { $0.video = newValue } }
  }

  public var traces: Traces { state.withLock { $0.traces } }

  public func note<Result: Sendable>(_ change: (inout Traces) -> Result) -> Result {
    state.withLock { change(&$0.traces) }
  }

  /// Settles what an attempt has left that ended with its process, before another one begins.
  public func settleAttempt() {
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
}
