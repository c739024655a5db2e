// SPDX-License-Identifier: MIT

import Bytes
import Files

/// The inputs that the arguments name, opened one by one; what cannot be opened is reported and passed over.
struct Inputs: Sequence, IteratorProtocol {
  private var names: [Name]
  private var walk: FileWalk?
  private let recursive: Bool
  private let zero: Bool
  private let console: Console

  private enum Name {
    case operand(String)
    case path(String)
    case list(String)
  }

  init(_ options: InputOptions, _ console: Console) {
    let names = options.operands.map(Name.operand) + options.lists.map(Name.list)
    self.names = names.reversed()
    recursive = options.recursive
    zero = options.zero
    self.console = console
  }

  mutating func next() -> Input? {
    while true {
      do throws(FileError) {
        if let path = try walk?.next() {
          return Input(path, below: walk?.folder, try FileSource(path))
        }
        walk = nil
        guard let name = names.popLast() else { return nil }
        if let input = try open(name) { return input }
      } catch {
        console.fail(error.description)
      }
    }
  }

  /// The input itself, or nothing when the name stands for others, which then follow.
  private mutating func open(_ name: Name) throws(FileError) -> Input? {
    switch name {
    case .operand("-"):
      return Input("-", try standardInput())
    case .operand(let path), .path(let path):
      guard FileWalk.isFolder(path) else { return Input(path, try openInput(path)) }
      guard recursive else {
        throw FileError("read", path, reason: "it is a folder; -r takes the files in it")
      }
      walk = FileWalk(path)
      return nil
    case .list(let path):
      let source = try path == "-" ? standardInput() : openInput(path)
      names += try paths(source, path).reversed().map(Name.path)
      return nil
    }
  }

  private func paths(_ source: any ByteSource, _ name: String) throws(FileError) -> [String] {
    let bytes: [UInt8]
    do throws(SyntaxError) {
      bytes = try source.bytes(in: 0..<source.count)
    } catch {
      throw FileError("read", name, reason: error.detail)
    }
    let end: UInt8 = zero || bytes.contains(0) ? 0 : 0x0a
    return bytes.split(separator: end).map { String(decoding: $0, as: UTF8.self) }
  }
}
