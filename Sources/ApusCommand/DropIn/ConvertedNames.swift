// SPDX-License-Identifier: MIT

import Files
import Stills

/// What the outputs of `heif-convert` are called: one file, or a stem with numbers and what a file is for.
struct ConvertedNames: Hashable {
  /// The name of the only picture.
  let path: String
  let format: OutputFormat
  private let stem: String
  private let ending: String

  /// Beside the input.
  static func usual(for input: String, ending: String = "jpg") -> String {
    (input.withoutEnding ?? input[...]) + ".\(ending)"
  }

  /// Throws where the ending says nothing that is written here.
  init(_ path: String) throws(UsageError) {
    let stem = path.withoutEnding
    let ending = stem.map { path[$0.endIndex...].dropFirst().lowercased() } ?? ""
    switch ending {
    case "jpg", "jpeg": format = .jpeg
    case "png": format = .png
    case "tif", "tiff", "y4m":
      throw UsageError("\(path): \(ending) is not written here; jpg, jpeg and png are")
    default:
      throw UsageError("the name \(path) does not say what to write: .jpg, .jpeg or .png")
    }
    self.path = path
    self.stem = String(stem ?? path[...])
    self.ending = ending
  }

  /// The names for one of several pictures.
  ///
  /// - Parameter number: counted from 1.
  func picture(_ number: Int, of count: Int) -> (path: String, stem: String) {
    guard count > 1 else { return (path, stem) }
    return ("\(stem)-\(number).\(ending)", "\(stem)-\(number)")
  }

  /// The name of what accompanies a picture.
  ///
  /// - Parameter stem: of the picture.
  func companion(_ name: String, of stem: String) -> String { "\(stem)-\(name).\(ending)" }
}

extension String {
  /// What precedes the last dot of the last name of a path; `nil` without one.
  fileprivate var withoutEnding: Substring? {
    let name = lastName
    guard let dot = name.lastIndex(of: ".") else { return nil }
    return self[..<dot]
  }
}
