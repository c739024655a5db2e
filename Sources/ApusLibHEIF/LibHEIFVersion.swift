// SPDX-License-Identifier: MIT

internal import ApusLoader
internal import CApusHEIF

/// A version of libheif.
public struct LibHEIFVersion: Comparable, Sendable {
  /// The version number as in the library, such as 0x01170600 for 1.23.6.
  private let number: UInt32

  private init(number: UInt32) { self.number = number }

  /// Creates a version from its numbers.
  public init(_ major: UInt8, _ minor: UInt8, _ patch: UInt8 = 0) {
    number = UInt32(major) << 24 | UInt32(minor) << 16 | UInt32(patch) << 8
  }

  /// The installed version or, if there is none, the version at build time.
  public static var here: LibHEIFVersion {
    do throws(LibraryError) { return LibHEIFVersion(number: try library.table().number()) } catch {
      return LibHEIFVersion(number: apus_heif_version_number)
    }
  }

  private static let library = DynamicLibrary<apus_heif_version>(
    LibHEIF.file, "heif_get_version_number")

  public static func < (one: LibHEIFVersion, other: LibHEIFVersion) -> Bool {
    one.number < other.number
  }
}
