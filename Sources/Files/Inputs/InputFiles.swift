// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization

/// The files that a job reads, so that none of them is ever written over: whatever name an output has, what counts is
/// the file that it leads to, through symbolic links and hard links too. It also knows the outputs of the run, of which
/// no two inputs may have the same.
public final class InputFiles: Sendable {
  private struct Key: Hashable {
    var device: UInt64
    var node: UInt64
  }

  private let keys = Mutex<Set<Key>>([])
  /// The input of each output.
  private let outputs = Mutex<[String: String]>([:])

  public init() {}

  /// Adds the file that a path leads to, where there is one; `-` is standard input.
  public func add(_ path: String) {
    let file = path == "-" ? FileIdentity(STDIN_FILENO) : FileIdentity(path)
    guard let file, file.isRegular else { return }
    keys.withLock { _ = $0.insert(Key(device: file.device, node: file.node)) }
  }

  /// Whether the file that a path leads to is an input; `-` is standard output.
  public func contains(_ path: String) -> Bool {
    let file = path == "-" ? FileIdentity.standardOutput : FileIdentity(path)
    guard let file else { return false }
    return keys.withLock { $0.contains(Key(device: file.device, node: file.node)) }
  }

  /// Refuses an output that is one of the inputs. Asked before anything is opened for writing.
  ///
  /// - Parameter onExists: an output that gets another name where its own is taken is never an input.
  public func refuse(_ output: String, onExists: OnExists = .replace) throws(FileError) {
    guard onExists != .rename || output == "-", contains(output) else { return }
    throw Self.refusal(of: output)
  }

  /// Says which input an output is of. Refuses one that another input has: the later would replace what the earlier
  /// became, or be passed over because it is there.
  ///
  /// - Parameter onExists: an output that gets another name where its own is taken is never refused.
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

  /// Why an output is not written that is one of the inputs.
  public static func refusal(of output: String) -> FileError {
    FileError(
      "write", output == "-" ? "standard output" : output,
      reason: "it is an input, which is never overwritten")
  }
}
