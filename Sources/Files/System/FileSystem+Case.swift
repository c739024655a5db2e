// SPDX-License-Identifier: MIT

internal import CFiles
internal import Glibc

extension FileSystem {
  /// Whether two names in a folder that differ only in the case of letters are one name to its file system, as on memory
  /// cards, on drives of Windows and in many network shares. A folder that is not there yet will be like the one around it,
  /// and one that is empty is, on the same file system.
  ///
  /// - Parameter mayWrite: whether a hidden file may be made for a moment where the folder holds nothing to tell by.
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
