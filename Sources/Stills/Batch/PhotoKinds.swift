// SPDX-License-Identifier: MIT

internal import Files

/// Which files of a folder are taken, by their extensions, which is all that tells them from others.
public enum PhotoKinds: Hashable, Sendable {
  case heif
  case heifAndJPEG
  /// The kinds that a HEIC is made of.
  case ordinary
  case all

  private static func ending(of path: String) -> String {
    let name = path.lastName
    return name.lastIndex(of: ".").map { name[$0...].dropFirst().lowercased() } ?? ""
  }

  /// Whether a file of this name is taken.
  public func contains(_ path: String) -> Bool {
    if self == .all { return true }
    let ending = Self.ending(of: path)
    if self != .heif, ["jpg", "jpeg", "jpe"].contains(ending) { return true }
    if self == .ordinary { return ["png", "ppm", "pgm", "pnm", "y4m"].contains(ending) }
    return ["heic", "heif", "hif", "avci", "heics"].contains(ending)
  }
}
