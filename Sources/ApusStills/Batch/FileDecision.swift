// SPDX-License-Identifier: MIT

/// A batch's decision about one file, with the reasons.
public struct FileDecision: Sendable {
  /// The treatment of a file by the batch.
  public enum Action: Sendable {
    /// The bytes are copied.
    case copy
    /// The picture is converted to JPEG.
    case convert
    /// Another job is done, such as transcoding a video.
    case job(any FileJob)
    /// No form that the file can be converted to is accepted by the receiver.
    case refuse

    /// The word for the action in a plan.
    public var name: String {
      switch self {
      case .copy: "copy"
      case .convert: "convert"
      case .job(let job): job.name
      case .refuse: "refuse"
      }
    }
  }

  /// The work that the batch does on the file.
  public var action: Action
  /// The file's kind, such as `heic`, `jpeg` or `mov with hevc and aac`.
  public var kind: String
  /// The reasons why the file cannot be copied; empty for a copy.
  public var reasons: [String] = []
  /// The losses in the output.
  public var losses: [String] = []
  /// The missing half of a Live Photo, if this file is the other.
  public var orphan: LiveOrphan?
  /// The output's extension, without the dot; empty for a name without one.
  public var pathExtension: String

  public init(
    action: Action, kind: String, reasons: [String] = [], pathExtension: String
  ) {
    self.action = action
    self.kind = kind
    self.reasons = reasons
    self.pathExtension = pathExtension
  }

  /// Warnings about the output.
  public var warnings: [String] { losses + (orphan.map { [$0.warning] } ?? []) }

  /// The reasons for refusing the file, as one text.
  public var refusal: String { reasons.joined(separator: "; ") }
}
