// SPDX-License-Identifier: MIT

/// What a batch does with one file, and why.
public struct FileDecision: Sendable {
  public enum Action: Sendable {
    /// Its bytes are copied.
    case copy
    /// A picture becomes a JPEG.
    case convert
    /// Something else is made of it, such as another video.
    case job(any FileJob)
    /// The receiver takes it in no form that could be made of it.
    case refuse

    /// The word for it.
    public var name: String {
      switch self {
      case .copy: "copy"
      case .convert: "convert"
      case .job(let job): job.name
      case .refuse: "refuse"
      }
    }
  }

  public var action: Action
  /// What it is: `heic`, `jpeg`, `mov with hevc and aac`.
  public var kind: String
  /// What keeps it from being copied; empty for what is.
  public var reasons: [String] = []
  /// What is lost in the output.
  public var losses: [String] = []
  /// What is missing of the Live Photo that it is half of.
  public var orphan: LiveOrphan?
  /// What its output ends with, without the dot; empty for a name without one.
  public var pathExtension: String

  public init(
    action: Action, kind: String, reasons: [String] = [], pathExtension: String
  ) {
    self.action = action
    self.kind = kind
    self.reasons = reasons
    self.pathExtension = pathExtension
  }

  /// What a person should know of its output.
  public var warnings: [String] { losses + (orphan.map { [$0.warning] } ?? []) }

  /// Why nothing is made of it.
  public var refusal: String { reasons.joined(separator: "; ") }
}
