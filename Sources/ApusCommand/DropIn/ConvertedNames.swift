// SPDX-License-Identifier: MIT

import ApusFiles
import ApusLibHEIF
import ApusStills

/// The names of the outputs of `heif-convert`: one file, or a stem with numbers and the purpose of each file.
struct ConvertedNames: Hashable {
  /// The name of the only picture.
  let path: String
  let format: OutputFormat
  private let stem: String
  private let ending: String

  /// The name of an output beside its input.
  static func usual(for input: String, ending: String = "jpg") -> String {
    input.withoutExtension + ".\(ending)"
  }

  /// Throws where the ending says nothing that is written here.
  init(_ path: String) throws(UsageError) {
    let ending = path.pathExtension.lowercased()
    switch ending {
    case "jpg", "jpeg": format = .jpeg
    case "png": format = .png
    case "webp": format = .webp
    case "tif", "tiff", "y4m":
      throw UsageError("\(path): \(ending) is not written here; jpg, jpeg, png and webp are")
    default:
      throw UsageError("the name \(path) does not say what to write: .jpg, .jpeg, .png or .webp")
    }
    self.path = path
    stem = String(path.withoutExtension)
    self.ending = ending
  }

  /// The names for one of several pictures.
  ///
  /// - Parameter number: counted from 1.
  func picture(_ number: Int, of count: Int) -> (path: String, stem: String) {
    guard count > 1 else { return (path, stem) }
    return ("\(stem)-\(number).\(ending)", "\(stem)-\(number)")
  }

  /// Returns the part of a name that gives the type of an auxiliary picture.
  ///
  /// libheif's program used the unchanged type until some version before 1.23, and wrote nothing if it contained a slash.
  ///
  /// - Parameter version: the version of libheif whose program is imitated.
  static func auxiliary(
    _ urn: String, hasNoColons: Bool, as version: LibHEIFVersion = .here
  ) -> String {
    // What Windows has in no name.
    let replaced = version < LibHEIFVersion(1, 23) ? hasNoColons ? "/:" : "/" : "/\\:*?\"<>|"
    return String(urn.map { replaced.contains($0) ? "_" : $0 })
  }

  /// The name of what accompanies a picture.
  ///
  /// - Parameter stem: of the picture.
  func companion(_ name: String, of stem: String) -> String { "\(stem)-\(name).\(ending)" }
}
