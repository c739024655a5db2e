// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles

/// The inputs that the arguments name, opened one by one; those that cannot be opened are reported and skipped.
final class Inputs {
  /// The inputs known so far; all of them, if outputs may replace files.
  let files = InputFiles()
  private var names: InputNames
  /// All inputs in reverse order, if they were looked up beforehand.
  private var known: [Result<InputName, FileError>]?
  /// Returns whether the run is over; called before each input.
  var isStopped: () -> Bool = { false }
  /// Opens an input that is no file; returns `nil` for a file.
  var openElsewhere: (InputName) throws(FileError) -> (any ByteSource)? = { _ in nil }
  /// Called with each input before it is opened.
  var willOpen: (InputName) throws(FileError) -> Void = { _ in }
  private let console: Console
  private let limits: Limits
  private var given: ArraySlice<Input>
  private let isGiven: Bool

  /// - Parameter mayReplace: whether outputs may replace files, none of which may be an input.
  init(_ options: InputOptions, _ console: Console, _ limits: Limits, mayReplace: Bool) {
    names = InputNames(options.list)
    self.console = console
    self.limits = limits
    given = options.given[...]
    isGiven = !given.isEmpty
    guard !isGiven else { return }
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

  /// Does a job with each input. An input that fails is reported, and the next one follows; one found in a folder may be
  /// of any kind. Usage errors and a closed standard output end the run.
  func each(_ job: (Input) throws -> Void) throws {
    while !isStopped(), let input = next() {
      do {
        try job(input)
      } catch let error as OtherKind where input.isFound {
        console.detail(error.description)
      } catch let error as OtherKind {
        console.fail(error.description)
      } catch {
        try console.fail(input, error)
      }
      if let failure = console.output.failure { throw failure }
    }
  }

  private func next() -> Input? {
    if let input = given.popFirst() { return input }
    guard !isGiven else { return nil }
    while true {
      do throws(FileError) {
        guard let name = try nextName() else { return nil }
        try willOpen(name)
        let source: any ByteSource
        if let other = try openElsewhere(name) {
          source = other
        } else {
          source = try name.opened(limits)
        }
        files.add(name.path)
        return Input(name, source, files)
      } catch {
        console.fail(error.description)
      }
    }
  }
}
