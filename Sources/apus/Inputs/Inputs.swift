// SPDX-License-Identifier: MIT

import Bytes
import Files

/// The inputs that the arguments name, opened one by one; what cannot be opened is reported and passed over.
final class Inputs: Sequence, IteratorProtocol {
  /// All that are known by now. Where outputs may replace files, these are all there will be.
  let files = InputFiles()
  private var names: InputNames
  /// What the arguments name, where all of it was looked up beforehand, in reverse.
  private var known: [Result<InputName, FileError>]?
  private let console: Console
  private let limits: Limits

  /// - Parameter mayReplace: whether outputs may take the place of files, none of which may be an input.
  init(_ options: InputOptions, _ console: Console, _ limits: Limits, mayReplace: Bool) {
    names = InputNames(options)
    self.console = console
    self.limits = limits
    for operand in options.operands { files.add(operand) }
    if mayReplace { known = lookUp().reversed() }
  }

  private func lookUp() -> [Result<InputName, FileError>] {
    var found: [Result<InputName, FileError>] = []
    while true {
      do throws(FileError) {
        guard let name = try names.next() else { return found }
        files.add(name.path)
        found.append(.success(name))
      } catch {
        found.append(.failure(error))
      }
    }
  }

  private func nextName() throws(FileError) -> InputName? {
    guard known != nil else { return try names.next() }
    return try known?.popLast()?.get()
  }

  func next() -> Input? {
    while true {
      do throws(FileError) {
        guard let name = try nextName() else { return nil }
        let source = try name.opened(limits)
        files.add(name.path)
        return Input(name, source, files)
      } catch {
        console.fail(error.description)
      }
    }
  }
}
