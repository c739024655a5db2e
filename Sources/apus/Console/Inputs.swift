// SPDX-License-Identifier: MIT

import Files

/// The inputs that the arguments name, opened one by one; what cannot be opened is reported and passed over.
final class Inputs: Sequence, IteratorProtocol {
  private var names: InputNames
  private let console: Console

  init(_ options: InputOptions, _ console: Console) {
    names = InputNames(options)
    self.console = console
  }

  func next() -> Input? {
    while true {
      do throws(FileError) {
        guard let name = try names.next() else { return nil }
        let source = try name.path == "-" ? standardInput() : openInput(name.path)
        return Input(name, source)
      } catch {
        console.fail(error.description)
      }
    }
  }
}
