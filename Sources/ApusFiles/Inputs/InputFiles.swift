// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization

/// The files that a job reads, so that none of them is ever overwritten: an output is compared by the file that its
/// path leads to, including through symbolic and hard links. It also records the outputs of the run, so that no two
/// inputs have the same one.
public final class InputFiles: Sendable {
  private struct Key: Hashable {
    var device: UInt64
    var node: UInt64
  }

  private let keys = Mutex<Set<Key>>([])
  /// The input of each output.
  private let outputs = Mutex<[String: String]>([:])

  /// Creates an empty set of inputs.
  public init() {}

  /// Adds the file at a path, if it exists; `-` is standard input.
  public func add(_ path: String) {
    let file = path == "-" ? FileIdentity(STDIN_FILENO) : FileIdentity(path)
    guard let file, file.isRegular else { return }
    keys.withLock { _ = $0.insert(Key(device: file.device, node: file.node)) }
  }

  /// Returns whether the file at a path is an input; `-` is standard output.
  public func contains(_ path: String) -> Bool {
    let file = path == "-" ? FileIdentity.standardOutput : FileIdentity(path)
    guard let file else { return false }
    return keys.withLock { $0.contains(Key(device: file.device, node: file.node)) }
  }

  /// Throws if an output is one of the inputs. Called before anything is opened for writing.
  ///
  /// - Parameter onExists: the policy; with `rename`, an output is never an input.
  public func refuse(_ output: String, onExists: OnExists = .replace) throws(FileError) {
    guard onExists != .rename || output == "-", contains(output) else { return }
    throw Self.refusal(of: output)
  }

  /// Records the input of an output. Throws if another input has the same output, because the later one would replace
  /// the earlier one, or be skipped because it exists.
  ///
  /// - Parameter onExists: the policy; with `rename`, there is no conflict.
  public func claim(_ output: String, for input: String, onExists: OnExists) throws(FileError) {
    guard onExists != .rename, output != "-" else { return }
    let place = output.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    let owner = outputs.withLock { outputs in
      let owner = outputs[place] ?? input
      outputs[place] = owner
      return owner
    }
    guard owner == input else {
      throw FileError("write", output, reason: "it is what \(owner) becomes in this run")
    }
  }

  /// Returns the error for an output that is one of the inputs.
  public static func refusal(of output: String) -> FileError {
    FileError(
      "write", output == "-" ? "standard output" : output,
      reason: "it is an input, which is never overwritten")
  }
}
