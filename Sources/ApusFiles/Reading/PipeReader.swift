// SPDX-License-Identifier: MIT

internal import Glibc

/// A pipe, or a growing file that its writer will close, read as its bytes arrive.
public final class PipeReader: Sendable {
  /// The name for messages.
  public let name: String
  private let descriptor: Int32
  private static let most = 1 << 16

  /// - Parameter descriptor: the descriptor, which is not closed.
  public init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Returns standard input; `nil` if it is a file or a device.
  public static func standardInput() -> PipeReader? {
    var status = stat()
    guard unsafe fstat(STDIN_FILENO, &status) == 0 else { return nil }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFIFO || kind == S_IFSOCK || isatty(STDIN_FILENO) == 1 else { return nil }
    return PipeReader(STDIN_FILENO, name: "standard input")
  }

  /// Returns the bytes that have arrived; waits until there are some, and returns `nil` at the end.
  public func next() throws(FileError) -> [UInt8]? {
    while true {
      if PipeStop.shared.isArmed {
        try PipeStop.shared.wait(for: descriptor, POLLIN, "read", name)
      }
      var count = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.most) { buffer, initialized in
        count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        initialized = max(0, count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        try PipeStop.shared.wait(for: descriptor, POLLIN, "read", name)
        continue
      }
      guard count >= 0 else { throw FileError("read", name) }
      return count == 0 ? nil : bytes
    }
  }
}
