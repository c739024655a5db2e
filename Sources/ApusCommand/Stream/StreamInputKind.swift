// SPDX-License-Identifier: MIT

import ApusContainers
import ApusFiles
import ApusForeign
import ApusLive
import ApusMedia
import ApusSamples
import Glibc
import RTMP

/// The kinds of inputs.
enum StreamInputKind: Sendable {
  case file
  case standardInput
  /// A named pipe, a device or a socket.
  case pipe(String)
  case server(Address)
  case srt(SRTAddress)
  case network(NetworkInput)

  init(_ path: String, _ options: StreamInput.Options) throws {
    if let input = try options.network(path) {
      self = .network(input)
      return
    }
    if path.isSRTAddress {
      self = .srt(try SRTAddress(argument: path))
      return
    }
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

  /// Returns the name of an input in messages.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  var isLive: Bool {
    if case .file = self { false } else { true }
  }

  /// Whether the sender waits for the reader.
  var canWait: Bool {
    switch self {
    case .file, .standardInput, .pipe: true
    case .server, .srt, .network: false
    }
  }

  /// Whether more may follow the end: another program may write to a named pipe, or connect over SRT, which does not
  /// signal an end.
  var canReopen: Bool {
    switch self {
    case .pipe, .srt: true
    case .file, .standardInput, .server, .network: false
    }
  }

  /// Opens a live input.
  func open(_ options: StreamInput.Options) throws -> OpenedMedia {
    switch self {
    case .file: throw MediaError(.misuse, "a file is not a live input")
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
    case .srt(let address):
      return try Self.connecting("\(address)", .mpegTS, ends: true, options) {
        let link = try SRTLink(address)
        try link.open(writes: false)
        return try MediaInput.open(
          growing: { try link.read() }, options: options.opening.reading(playlistAt: "-"))
      }
    case .network(let input):
      // Cameras and datagrams signal no end.
      let ends = [.http, .https].contains(input.address.scheme)
      return try Self.connecting("\(input.address)", .unknown, ends: ends, options) {
        try input.open(options.opening)
      }
    }
  }

  /// Opens an input that is connected again when its connection is lost.
  private static func connecting(
    _ name: String, _ kind: FileKind, ends: Bool, _ options: StreamInput.Options,
    _ open: @escaping @Sendable () throws -> MediaInput
  ) throws -> OpenedMedia {
    try StreamInput.named(name) {
      let stream = try ReconnectingSource(
        {
          let media = try open()
          return OpenedMedia(media.source, warnings: media.warnings)
        }, ends: ends, options.pull, options.onEvent)
      let input = MediaInput(coded: stream, kind: kind, warnings: stream.warnings)
      return try StreamInput.coded(input, options)
    }
  }

  private static func open(_ path: String, _ descriptor: Int32, _ options: StreamInput.Options)
    throws -> OpenedMedia
  {
    let pipe = OpenPipe(descriptor)
    return try StreamInput.named(path) {
      let input = try MediaInput.open(
        growing: { try pipe.pull() }, options: options.opening.reading(playlistAt: "-"))
      return try StreamInput.coded(input, options)
    }
  }
}

/// A pipe that is closed with its last reader.
private final class OpenPipe: Sendable {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  /// Returns the next bytes, or `nil` at the end.
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
