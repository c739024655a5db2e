// SPDX-License-Identifier: MIT

import Stills
import Transcode

/// What an export does with one file, and why.
struct FileDecision: Sendable {
  enum Action: Sendable {
    /// Its bytes are copied.
    case copy
    /// A picture becomes a JPEG.
    case convert
    /// A video is coded anew, or put into another container.
    case transcode(TranscodeSettings)
    /// The receiver takes it in no form that could be made of it.
    case refuse

    /// The word for it.
    var name: String {
      switch self {
      case .copy: "copy"
      case .convert: "convert"
      case .transcode(let settings): settings.video.codecs == [.copy] ? "remux" : "transcode"
      case .refuse: "refuse"
      }
    }
  }

  var action: Action
  /// What it is: `heic`, `jpeg`, `mov with hevc and aac`.
  var kind: String
  /// What keeps it from being copied; empty for what is.
  var reasons: [String] = []
  /// What is lost in the output.
  var losses: [String] = []
  /// What is missing of the Live Photo that it is half of.
  var orphan: LiveOrphan?
  /// What its output ends with, without the dot; empty for a name without one.
  var pathExtension: String

  /// What a person should know of its output.
  var warnings: [String] { losses + (orphan.map { [$0.warning] } ?? []) }

  /// Why nothing is made of it.
  var refusal: String { reasons.joined(separator: "; ") }
}
