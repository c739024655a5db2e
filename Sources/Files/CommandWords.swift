// SPDX-License-Identifier: MIT

internal import Glibc

/// The words of the command line, the program's own name first, as `FileName` makes text of them.
public func commandLineWords() -> [String] {
  let words = unsafe CommandLine.unsafeArgv
  return (0..<Int(CommandLine.argc)).compactMap { index in
    unsafe words[index].map { unsafe String(systemName: $0) }
  }
}

/// A word as a program that is started finds it among its own (`commandLineWords`), ended by a zero byte. The caller
/// frees it.
@unsafe public func copiedWord(_ word: String) -> UnsafeMutablePointer<CChar>? {
  unsafe strdup(word.systemName)
}
