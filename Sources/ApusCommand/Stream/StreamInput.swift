// SPDX-License-Identifier: MIT

import Bytes
import Containers
import Files
import Flow
import Glibc
import HEVC
import Live
import Media
import Transcode

/// What `stream` reads: a file, again and again where that is wanted, or a pipe as it grows.
struct StreamInput {
  var source: any SampleSource & Sendable
  /// Whether it comes while it is made.
  var isLive: Bool
  var warnings: [String]

  /// - Parameters:
  ///   - tracks: those that are sent.
  ///   - coding: what video and sound become on the way; `nil` sends them as they are.
  init(
    _ path: String, start: MediaTime?, frameRate: FrameRate?, loops: Bool,
    tracks: TrackSelection = TrackSelection(), coding: StreamCoding? = nil, limits: Limits
  ) throws {
    var options = MediaInput.Options()
    options.limits = limits
    options.frameRate = frameRate
    options.start = start.map { .milliseconds($0.milliseconds) } ?? coding?.settings.start
    options.isSalvaging = coding?.settings.isSalvaging ?? false
    let name = path == "-" ? "standard input" : path
    let chosen = options.reading(playlistAt: path)
    do {
      if let descriptor = try Self.pipe(path) {
        guard !loops, options.start == nil else {
          throw UsageError(
            "\(name) is read once, as it comes: no --loop, no --start and no --from")
        }
        var input = try MediaInput.open(
          growing: { try Self.pull(descriptor, name) }, options: options)
        _ = try input.choose(tracks)
        (isLive, warnings) = (true, input.warnings)
        source = try coding?.source(of: input, &warnings) ?? input.source
        warnings += Self.losses(input.source.tracks, source.tracks)
        return
      }
      let file =
        try path == "-"
        ? standardInput(limit: options.limits.pipe) : openInput(path, limit: options.limits.pipe)
      var input = try MediaInput.open(file, options: chosen)
      _ = try input.choose(tracks)
      (isLive, warnings) = (false, input.warnings)
      guard loops else {
        source = try coding?.source(of: input, &warnings) ?? input.source
        warnings += Self.losses(input.source.tracks, source.tracks)
        return
      }
      source = try LoopedSource {
        var input = try MediaInput.open(file, options: chosen)
        _ = try input.choose(tracks)
        var ignored: [String] = []
        return try coding?.source(of: input, &ignored) ?? input.source
      }
      warnings += Self.losses(input.source.tracks, source.tracks)
    } catch let error where error is SyntaxError || error is MediaError {
      let failure = MediaError(error)
      throw MediaError(
        failure.kind, Console.failure(of: name, error), remedy: failure.remedy)
    }
  }

  /// What a stream cannot say of pictures that are sent, and what is gone of those that are coded anew.
  private static func losses(_ read: [CodedTrack], _ sent: [CodedTrack]) -> [String] {
    let kept = sent.compactMap { $0.dolbyVisionLoss(in: "RTMP") }
    return kept.isEmpty ? read.compactMap(\.dolbyVisionLossInCoding) : kept
  }

  /// The descriptor of what can be read only as it comes.
  private static func pipe(_ path: String) throws(FileError) -> Int32? {
    if path == "-" {
      var status = stat()
      guard unsafe fstat(STDIN_FILENO, &status) == 0 else {
        throw FileError("read", "standard input")
      }
      return status.st_mode & S_IFMT == S_IFREG ? nil : STDIN_FILENO
    }
    guard let status = FileSystem.status(path) else { throw FileError("open", path) }
    guard [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return nil }
    let descriptor = FileSystem.open(path, O_RDONLY)
    guard descriptor >= 0 else { throw FileError("open", path) }
    return descriptor
  }

  private static func pull(_ descriptor: Int32, _ name: String) throws -> [UInt8]? {
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
