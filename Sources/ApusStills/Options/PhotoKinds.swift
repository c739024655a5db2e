// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFiles
internal import ISOBMFF

/// The kinds of files in a folder that are converted, selected by extension. A file named as a JPEG or PNG may be a
/// HEIC: some services that deliver photos name them so.
public enum PhotoKinds: Hashable, Sendable {
  case heif
  case heifAndJPEG
  /// The kinds from which a HEIC is made.
  case ordinary
  case all

  /// Returns whether a file with this name is included.
  public func contains(_ path: String) -> Bool {
    if self == .all { return true }
    let ending = path.pathExtension.lowercased()
    let isJPEG = ["jpg", "jpeg", "jpe"].contains(ending)
    if self != .heif, isJPEG { return true }
    if self == .ordinary { return ["png", "ppm", "pgm", "pnm", "y4m"].contains(ending) }
    if isJPEG || ending == "png" { return Self.isHEIF(path) }
    return ["heic", "heif", "hif", "avci", "heics"].contains(ending)
  }

  /// Returns whether a regular file begins like a HEIF file.
  private static func isHEIF(_ path: String) -> Bool {
    guard FileIdentity(path)?.isRegular == true, let source = try? openInput(path),
      let brand = try? source.majorBrand
    else { return false }
    return FileType.itemBrands.union(FileType.sequenceBrands).contains(brand)
  }
}
