// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import Glibc

/// A walk over the regular files in a folder and its subfolders, sorted by name, one at a time. Hidden ones are
/// skipped. Links are followed, and each folder is entered once, however many links lead to it.
///
/// The remaining names are stored as bytes, so that a folder of 100,000 files needs only a few megabytes.
public struct FileWalk {
  /// The path of the folder that the walk starts from.
  public let folder: String
  /// The entered folders, innermost last.
  private var listings: [Listing] = []
  private var entered: Set<[UInt64]> = []
  private var isBegun = false

  /// A folder that is not entered, unless it was named itself. It may be created during the walk.
  private let except: String?

  /// Creates a walk; nothing is read before the first `next`.
  ///
  /// - Parameter except: the path of a subfolder that is not entered.
  public init(_ folder: String, except: String? = nil) {
    self.folder = folder
    self.except = except
  }

  /// Returns the next file. After an error, the walk continues after the unreadable folder.
  public mutating func next() throws(FileError) -> String? {
    if !isBegun {
      isBegun = true
      if let file = try visit(folder, .unknown) { return file }
    }
    while let last = listings.indices.last {
      guard let (name, kind) = listings[last].next() else {
        listings.removeLast()
        continue
      }
      if let file = try visit(listings[last].prefix + name, kind) { return file }
    }
    return nil
  }

  /// Returns the path itself if it is a file; enters it if it is a folder.
  private mutating func visit(_ path: String, _ kind: Listing.Kind) throws(FileError) -> String? {
    if kind == .file { return path }
    guard let status = FileSystem.status(path) else {
      // A broken link is not a file.
      if errno == ENOENT || errno == ELOOP, !entered.isEmpty { return nil }
      throw FileError("read", path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return path
    case S_IFDIR:
      if !entered.isEmpty, let except, let skipped = FileSystem.status(except),
        skipped.st_dev == status.st_dev, skipped.st_ino == status.st_ino
      {
        return nil
      }
      if entered.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted {
        listings.append(try Listing(path))
      }
      return nil
    default: return nil
    }
  }

  /// Returns the names in one folder, sorted, without hidden ones.
  public static func names(in folder: String) throws(FileError) -> [String] {
    var listing = try Listing(folder)
    var names: [String] = []
    while let (name, _) = listing.next() { names.append(name) }
    return names
  }

  /// Returns whether a path leads to a regular file, also through a symbolic link.
  public static func isFile(_ path: String) -> Bool {
    FileSystem.status(path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
  }

  /// Returns whether a path leads to a folder, also through a symbolic link.
  public static func isFolder(_ path: String) -> Bool {
    FileSystem.status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }
}

/// The names in one folder, sorted.
private struct Listing {
  enum Kind: UInt8 {
    case file, unknown
  }

  let prefix: String
  /// The kind of each entry, its name, and a zero.
  private var bytes: [UInt8] = []
  private var starts: [UInt32] = []
  private var position = 0

  init(_ folder: String) throws(FileError) {
    prefix = folder.endsWithSlash ? folder : folder + "/"
    guard let listing = unsafe opendir(folder.systemName) else { throw FileError("read", folder) }
    defer { unsafe closedir(listing) }
    while true {
      errno = 0
      guard let entry = unsafe readdir(listing) else { break }
      let kind = unsafe entry.pointee.d_type == UInt8(DT_REG) ? Kind.file : .unknown
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe [UInt8]($0.prefix { $0 != 0 })
      }
      guard name.first != UInt8(ascii: ".") else { continue }
      guard let start = UInt32(exactly: bytes.count) else {
        throw FileError("read", folder, reason: "its names take more than 4 GiB")
      }
      starts.append(start)
      bytes.append(kind.rawValue)
      bytes += name
      bytes.append(0)
    }
    guard errno == 0 else { throw FileError("read", folder) }
    let bytes = self.bytes
    starts.sort {
      Self.name(at: $0, in: bytes).lexicographicallyPrecedes(Self.name(at: $1, in: bytes))
    }
  }

  private static func name(at start: UInt32, in bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes[(Int(start) + 1)...].prefix { $0 != 0 }
  }

  mutating func next() -> (name: String, kind: Kind)? {
    guard position < starts.count else { return nil }
    let start = starts[position]
    position += 1
    return (
      FileName.text(of: Self.name(at: start, in: bytes)),
      Kind(rawValue: bytes[Int(start)]) ?? .unknown
    )
  }
}
