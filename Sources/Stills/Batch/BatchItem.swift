// SPDX-License-Identifier: MIT

public import Files
internal import Synchronization

/// One file of a batch, from its name to its report.
public final class BatchItem: Sendable {
  /// The position of the file in its batch, from 1. Worker processes refer to the file by this number.
  public let number: Int
  public let name: InputName
  /// The values of placeholders that may appear in the name of its output.
  public let fields: NameFields
  /// The file as it was when its turn came; `nil` where there was none.
  public let file: FileIdentity?
  /// The planner's decision; `nil` for a photo to be converted.
  public let decision: FileDecision?
  private let state: Mutex<State>

  private struct State {
    /// The video to be stored next to its output.
    var video: LiveVideo?
    var skipped: [String] = []
    var traces: Traces
  }

  /// Records of the files written for an item that is not finished yet.
  public struct Traces: Sendable {
    /// Whether an earlier batch began this item and was cut short.
    public var wasCutShort = false
    /// Outputs that have their final names, keyed by the names that were requested.
    public var made: [String: String] = [:]
    /// Complete files that were about to be renamed, keyed by their future names.
    public var finished: [String: FileIdentity] = [:]
    /// Incomplete files, to be deleted.
    public var begun: [String] = []
    /// Answers given to this item's claims to output paths.
    public var claims: [String: OutputClaims.Claim] = [:]
    /// Answers given in earlier attempts, which are repeated to the next one.
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

  /// Returns the identity of an input file. Standard input is usually a pipe.
  static func file(of name: InputName) -> FileIdentity? {
    FileIdentity(name.path == "-" ? "/dev/stdin" : name.path)
  }

  /// Outputs that existed already and were left unchanged.
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

  /// Cleans up after an attempt whose process has ended, before the next attempt begins.
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
