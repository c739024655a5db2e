// SPDX-License-Identifier: MIT

internal import Glibc

/// Returns the words of the command line, beginning with the program's name, converted to text by `FileName`.
package func commandLineWords() -> [String] {
  unsafe commandLineMemory().compactMap { unsafe $0.map { unsafe String(systemName: $0) } }
}

/// Returns the words of the command line in the memory provided by the system, which is visible to other processes.
@unsafe package func commandLineMemory() -> UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>
{
  let count = Int(CommandLine.argc)
  if count > 0 {
    return unsafe UnsafeMutableBufferPointer(start: CommandLine.unsafeArgv, count: count)
  }
  // Swift reads them from /proc, which does not exist in every sandbox. On the stack of a process the words precede the
  // environment: their number, the words, and a null pointer.
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

/// The maximum number of words, more than any system passes.
private let longestCommandLine = 1 << 24

/// Returns a word in the form in which a started program finds it among its own (`commandLineWords`), terminated by a
/// zero byte. The caller frees it.
@unsafe package func copiedWord(_ word: String) -> UnsafeMutablePointer<CChar>? {
  unsafe strdup(word.systemName)
}
