// SPDX-License-Identifier: MIT

/// The role of a picture among the outputs of a file.
public enum PictureRole: Hashable, Sendable, Codable {
  case primary
  /// Another picture in its own right, with its number from 2; from 1 if every picture was requested.
  case other(Int)
  /// The video of a Live Photo, with its extension.
  case video(extension: String)
  /// Another part of the file, with the suffix and the extension of its output.
  case part(String, extension: String)
}

extension PictureRole {
  /// The word that distinguishes it from the primary picture; empty if the extension does.
  package var name: String {
    switch self {
    case .primary, .video: ""
    case .other(let number): "\(number)"
    case .part(let name, _): name
    }
  }

  /// Whether it is neither a picture in its own right nor a video.
  var isPart: Bool { if case .part = self { true } else { false } }

  /// The suffix that distinguishes its output from that of the primary picture.
  var suffix: String { name.isEmpty ? "" : ".\(name)" }

  /// The extension of its output, if that does not depend on the run's format.
  package var pathExtension: String? {
    switch self {
    case .part(_, let ending), .video(let ending): ending
    case .primary, .other: nil
    }
  }
}
