// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ISOBMFF

/// A field and its new value: `moov/trak[1]/tkhd/width=1280`.
struct FieldChange: ArgumentValue {
  var path: BoxPath
  var field: String
  var value: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="),
      let slash = argument[..<equals].lastIndex(of: "/"),
      let path = BoxPath(String(argument[..<slash]))
    else { return nil }
    self.path = path
    field = String(argument[argument.index(after: slash)..<equals])
    value = String(argument[argument.index(after: equals)...])
  }

  static let expected = "PATH/FIELD=VALUE, such as moov/mvhd/timescale=1000"
  var argument: String { "\(path)/\(field)=\(value)" }
}

/// A position and the file with the bytes for it: `moov/udta=udta.bin`.
struct FileChange: ArgumentValue {
  /// The path, or `nil` for the file itself (`/`).
  var path: BoxPath?
  var file: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    let place = String(argument[..<equals])
    if place != "/" {
      guard let path = BoxPath(place) else { return nil }
      self.path = path
    }
    file = String(argument[argument.index(after: equals)...])
    guard !file.isEmpty else { return nil }
  }

  static let expected = "PATH=FILE, such as moov/udta=udta.bin"
  var argument: String { "\(path?.description ?? "/")=\(file)" }
}

extension FileChange {
  /// Returns the path of a box; the file itself is not a box.
  func box() throws(UsageError) -> BoxPath {
    guard let path else { throw UsageError("/ is the file itself, not a box") }
    return path
  }

  func bytes(_ limits: Limits) throws(FileError) -> Extent {
    let source = try InputName(path: file).opened(limits)
    return Extent(source, 0..<source.count)
  }
}
