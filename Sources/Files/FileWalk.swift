// SPDX-License-Identifier: MIT

internal import Glibc

/// The regular files in a folder and the folders in it, sorted by name, one at a time. Hidden ones are
/// passed over. Links are followed, and each folder is entered once however many links lead to it.
public struct FileWalk {
  public let folder: String
  private var pending: [String]
  private var entered: Set<[UInt64]> = []

  public init(_ folder: String) {
    self.folder = folder
    pending = [folder]
  }

  /// The next file. After an error the walk goes on behind the folder that could not be read.
  public mutating func next() throws(FileError) -> String? {
    while let path = pending.popLast() {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else {
        // A link that leads nowhere is no file.
        if errno == ENOENT || errno == ELOOP, !entered.isEmpty { continue }
        throw FileError("read", path)
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG: return path
      case S_IFDIR:
        guard entered.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted else {
          continue
        }
        let names = try Self.names(in: path)
        let prefix = path.hasSuffix("/") ? path : path + "/"
        pending += names.sorted(by: >).map { prefix + $0 }
      default: continue
      }
    }
    return nil
  }

  public static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func names(in folder: String) throws(FileError) -> [String] {
    guard let listing = unsafe opendir(folder) else { throw FileError("read", folder) }
    defer { unsafe closedir(listing) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(listing) else { break }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    guard errno == 0 else { throw FileError("read", folder) }
    return names
  }
}
