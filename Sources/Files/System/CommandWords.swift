// SPDX-License-Identifier: MIT

internal import Glibc

/// The words of the command line, the program's own name first, as `FileName` makes text of them.
public func commandLineWords() -> [String] {
  unsafe commandLineMemory().compactMap { unsafe $0.map { unsafe String(systemName: $0) } }
}

/// The words of the command line in the memory in which the system put them, and shows them to others.
@unsafe public func commandLineMemory() -> UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>
{
  let count = Int(CommandLine.argc)
  if count > 0 {
    return unsafe UnsafeMutableBufferPointer(start: CommandLine.unsafeArgv, count: count)
  }
  // Swift looks in /proc, which not every place that a program is confined to has. On the stack of a process its words
  // precede its environment: their number, the words, and a null pointer.
  let environment = unsafe environ
  guard unsafe environment[-1] == nil else {
    return unsafe UnsafeMutableBufferPointer(start: nil, count: 0)
  }
  for count in 0..<longestCommandLine where unsafe Int(bitPattern: environment[-2 - count]) == count
  {
    return unsafe UnsafeMutableBufferPointer(start: environment - 1 - count, count: count)
  }
  return unsafe UnsafeMutableBufferPointer(start: nil, count: 0)
}

/// More words than any system hands over.
private let longestCommandLine = 1 << 24

/// A word as a program that is started finds it among its own (`commandLineWords`), ended by a zero byte. The caller
/// frees it.
@unsafe public func copiedWord(_ word: String) -> UnsafeMutablePointer<CChar>? {
  unsafe strdup(word.systemName)
}
