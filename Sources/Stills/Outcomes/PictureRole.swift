// SPDX-License-Identifier: MIT

/// Which of the pictures of a file.
public enum PictureRole: Hashable, Sendable {
  case primary
  /// Another picture of its own, by its number from 2 on; where every picture is asked for, any of them from 1 on.
  case other(Int)
  /// The video of a Live Photo, by what its file ends with.
  case video(extension: String)
  /// Something else in the file, by what its output is called after the name of the photo, and ends with.
  case part(String, extension: String)
}

extension PictureRole {
  /// What tells it from the primary picture, in a word; empty where its ending does.
  package var name: String {
    switch self {
    case .primary, .video: ""
    case .other(let number): "\(number)"
    case .part(let name, _): name
    }
  }

  /// Whether it is neither a picture of its own nor a video.
  var isPart: Bool { if case .part = self { true } else { false } }

  /// What tells its output from that of the primary picture.
  var suffix: String { name.isEmpty ? "" : ".\(name)" }

  /// What its output ends with, whatever the pictures of the run do.
  package var pathExtension: String? {
    switch self {
    case .part(_, let ending), .video(let ending): ending
    case .primary, .other: nil
    }
  }
}
