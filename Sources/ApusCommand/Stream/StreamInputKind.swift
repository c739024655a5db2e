// SPDX-License-Identifier: MIT

import Containers
import Files
import Flow
import Glibc
import Live
import Media
import RTMP

/// Where an input comes from.
enum StreamInputKind: Sendable {
  case file
  case standardInput
  /// A named pipe, a device or a socket.
  case pipe(String)
  case server(Address)

  init(_ path: String) throws {
    if path.isStreamAddress {
      do throws(SessionError) {
        self = .server(try Address(path))
      } catch {
        throw UsageError(error.detail)
      }
      return
    }
    if path == "-" {
      var status = stat()
      guard unsafe fstat(STDIN_FILENO, &status) == 0 else {
        throw FileError("read", "standard input")
      }
      self = status.st_mode & S_IFMT == S_IFREG ? .file : .standardInput
      return
    }
    guard let status = FileSystem.status(path) else { throw FileError("open", path) }
    let isPipe = [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT)
    self = isPipe ? .pipe(path) : .file
  }

  /// What a message calls an input.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  var isLive: Bool {
    if case .file = self { false } else { true }
  }

  /// Whether there may be more after its end: somebody else may write into a named pipe.
  var canReopen: Bool {
    if case .pipe = self { true } else { false }
  }

  /// Opens what comes as it is made.
  func open(_ options: StreamInput.Options) throws -> OpenedMedia {
    switch self {
    case .file: throw MediaError(.misuse, "a file is opened otherwise")
    case .standardInput:
      return try Self.open("-", STDIN_FILENO, options)
    case .pipe(let path):
      let descriptor = FileSystem.open(path, O_RDONLY)
      guard descriptor >= 0 else { throw FileError("open", path) }
      return try Self.open(path, descriptor, options)
    case .server(let address):
      return try StreamInput.named("\(address)") {
        let stream = try PulledStream(address, options.pull, options.onEvent)
        let opened = try StreamInput.coded(MediaInput(coded: stream, kind: .flv), options)
        return OpenedMedia(opened.source, warnings: stream.warnings + opened.warnings)
      }
    }
  }

  private static func open(_ path: String, _ descriptor: Int32, _ options: StreamInput.Options)
    throws -> OpenedMedia
  {
    let pipe = OpenPipe(descriptor)
    return try StreamInput.named(path) {
      let input = try MediaInput.open(growing: { try pipe.pull() }, options: options.opening)
      return try StreamInput.coded(input, options)
    }
  }
}

/// A pipe that is closed when nobody reads it any more.
private final class OpenPipe: Sendable {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  /// What comes next; `nil` at the end.
  func pull() throws -> [UInt8]? {
    var count = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, used in
      repeat {
        count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      used = max(count, 0)
    }
    guard count >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw MediaError(.io, "cannot be read: \(reason)")
    }
    return count == 0 ? nil : bytes
  }
}
