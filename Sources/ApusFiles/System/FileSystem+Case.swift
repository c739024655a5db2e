// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import CApusFiles
internal import Glibc

extension FileSystem {
  /// Returns whether the file system of a folder ignores case in names, as on memory cards, Windows drives and many
  /// network shares. A folder that does not exist yet, or is empty, is assumed to behave like the one around it if that
  /// is on the same file system.
  ///
  /// - Parameter mayWrite: whether a hidden file may be created briefly if the contents of the folder do not answer the
  ///   question.
  public static func ignoresCase(in folder: String, mayWrite: Bool) -> Bool {
    var folder = folder
    // The nearest existing folder.
    var nearest: (path: String, device: UInt64)?
    while true {
      if let device = FileIdentity(folder)?.device, FileWalk.isFolder(folder) {
        if let nearest, nearest.device != device { break }
        nearest = nearest ?? (folder, device)
        if unsafe apus_folds_case(folder.systemName) != 0 { return true }
        if let answer = ignoresCase(byNamesIn: folder) { return answer }
      }
      guard let slash = folder.lastSlash, slash > folder.startIndex else { break }
      folder = String(folder[..<slash])
    }
    guard mayWrite, let nearest else { return false }
    let trial = HiddenName.create(for: "\(nearest.path)/case")
    guard trial.descriptor >= 0 else { return false }
    defer {
      removeFile(trial.name)
      close(trial.descriptor)
    }
    return isThere(swappingCase(of: String(trial.name.lastName)), in: nearest.path)
  }

  /// Returns the answer from the first name with letters in it; `nil` if the folder has none.
  private static func ignoresCase(byNamesIn folder: String) -> Bool? {
    guard let listing = unsafe opendir(folder.systemName) else { return nil }
    defer { unsafe closedir(listing) }
    func next() -> String? {
      guard let entry = unsafe readdir(listing) else { return nil }
      return unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe FileName.text(of: [UInt8]($0.prefix { $0 != 0 }))
      }
    }
    while let name = next() {
      let other = swappingCase(of: name)
      guard other != name else { continue }
      guard isThere(other, in: folder) else { return false }
      // Both may exist as separate files.
      unsafe rewinddir(listing)
      while let name = next() {
        if name == other { return false }
      }
      return true
    }
    return nil
  }

  private static func isThere(_ name: String, in folder: String) -> Bool {
    status("\(folder)/\(name)", followsLinks: false) != nil
  }

  private static func swappingCase(of name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          switch scalar {
          case "a"..."z": Unicode.Scalar(UInt8(scalar.value) - 0x20)
          case "A"..."Z": Unicode.Scalar(UInt8(scalar.value) + 0x20)
          default: scalar
          }
        }))
  }
}
