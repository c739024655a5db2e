// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles

/// Small text files such as keys, targets and settings.
extension InputName {
  /// The bytes of a small file.
  ///
  /// - Parameters:
  ///   - kind: what the file is, with its article, as a message says it.
  ///   - mebibytes: the size that it may have.
  func smallFile(_ kind: String, mebibytes: Int = 1) throws -> [UInt8] {
    var limits = Limits()
    limits.pipe = mebibytes << 20
    let source = try opened(limits)
    guard source.count <= limits.pipe else {
      throw FileError("use", path, reason: "\(kind) has at most \(mebibytes) MiB")
    }
    return try source.bytes(in: 0..<source.count)
  }

  /// Returns the text of a small file, without a UTF-8 byte order mark.
  ///
  /// - Parameter kind: what the file is, with its article, as a message says it.
  func smallText(_ kind: String) throws -> String {
    let bytes = try smallFile(kind)
    let isMarked = bytes.starts(with: [0xef, 0xbb, 0xbf])
    return String(decoding: bytes.dropFirst(isMarked ? 3 : 0), as: UTF8.self)
  }

  /// Returns the only line of a small file.
  ///
  /// - Parameters:
  ///   - kind: what the file is, with its article, as a message says it.
  ///   - form: the form that the line must have, as a message says it.
  ///   - isRight: whether a line has it.
  func line(_ kind: String, _ form: String, where isRight: (Substring) -> Bool) throws -> String {
    let lines = try smallText(kind).split(whereSeparator: \.isNewline)
    guard lines.count == 1, let line = lines.first, isRight(line) else {
      throw FileError("use", path, reason: "\(kind) is one line\(form)")
    }
    return String(line)
  }

  /// Returns the trimmed lines of a small file, except those that are blank or begin with `#`.
  ///
  /// - Parameter kind: what the file is, with its article, as a message says it.
  func lines(_ kind: String) throws -> [(number: Int, text: String)] {
    let lines = try smallText(kind).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.enumerated().compactMap { index, line in
      let line = line.trimmed
      return line.isEmpty || line.hasPrefix("#") ? nil : (index + 1, line)
    }
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends.
  var trimmed: String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
