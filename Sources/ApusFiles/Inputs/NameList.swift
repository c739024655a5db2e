// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import Glibc

/// Names in a file or on standard input, each terminated by a line end or NUL, read on demand.
public struct NameList: ~Copyable {
  /// The path of the list, or the name for messages if the list came as a descriptor.
  public let path: String
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private var position = 0
  private var isEnded = false
  private var separator: UInt8?

  /// - Parameters:
  ///   - path: the path of the list; `-` is standard input.
  ///   - isNull: whether names end with NUL. Otherwise they do if there is a NUL in the first piece that contains the
  ///     end of a name.
  public init(_ path: String, isNull: Bool = false) throws(FileError) {
    self.path = path
    separator = isNull ? 0 : nil
    descriptor =
      path == "-"
      ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : FileSystem.open(path, O_RDONLY)
    guard descriptor >= 0 else { throw FileError("open", path) }
  }

  /// Reads names that another process sends, each terminated by NUL.
  public init(duplicating descriptor: Int32, name: String) throws(FileError) {
    path = name
    separator = 0
    self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard self.descriptor >= 0 else { throw FileError("open", name) }
  }

  deinit { close(descriptor) }

  /// Returns the next non-empty name.
  public mutating func next() throws(FileError) -> String? {
    if separator == nil {
      while !isEnded, !bytes.contains(where: { $0 == 0 || $0 == 0x0a }) { try fill() }
      separator = bytes.contains(0) ? 0 : 0x0a
    }
    while true {
      if let end = bytes[position...].firstIndex(where: { $0 == separator }) {
        let name = bytes[position..<end]
        position = end + 1
        if !name.isEmpty { return FileName.text(of: name) }
      } else if isEnded {
        let name = bytes[position...]
        position = bytes.count
        return name.isEmpty ? nil : FileName.text(of: name)
      } else {
        try fill()
      }
    }
  }

  private mutating func fill() throws(FileError) {
    bytes.removeFirst(position)
    position = 0
    let before = bytes.count
    guard before < 1 << 20 else {
      throw FileError("read", path, reason: "it holds a name of more than 1 MiB")
    }
    if PipeStop.shared.isArmed {
      try PipeStop.shared.wait(for: descriptor, POLLIN, "read", path)
    }
    bytes.append(contentsOf: repeatElement(0, count: 1 << 14))
    var count: Int
    repeat {
      count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress.map { unsafe $0 + before }, 1 << 14)
      }
    } while count < 0 && errno == EINTR
    let code = errno
    bytes.removeLast((1 << 14) - max(count, 0))
    guard count >= 0 else {
      isEnded = true
      throw FileError("read", path, code: code)
    }
    isEnded = count == 0
  }
}
