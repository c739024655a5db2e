// SPDX-License-Identifier: MIT

internal import Glibc

extension FileSystem {
  /// Whether two names in a folder that differ only in the case of letters are one name to its file system, as on memory
  /// cards, on drives of Windows and in many network shares. A folder that is not there yet will be like the one around it.
  ///
  /// - Parameter mayWrite: whether a hidden file may be made for a moment where the folder holds nothing to tell by.
  public static func ignoresCase(in folder: String, mayWrite: Bool) -> Bool {
    var folder = folder
    while !FileWalk.isFolder(folder), let slash = folder.lastSlash, slash > folder.startIndex {
      folder = String(folder[..<slash])
    }
    if let answer = ignoresCase(byNamesIn: folder) { return answer }
    guard mayWrite else { return false }
    let trial = HiddenName.create(for: "\(folder)/case")
    guard trial.descriptor >= 0 else { return false }
    defer {
      removeFile(trial.name)
      close(trial.descriptor)
    }
    return isThere(swappingCase(of: String(trial.name.lastName)), in: folder)
  }

  /// What the first name with letters in it tells; `nil` in a folder without one.
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
      // Both may be there, each a file of its own.
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
