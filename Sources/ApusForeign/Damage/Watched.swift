// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import Synchronization

/// The watch over the bytes of a source, which the reader and the cursor share.
final class Watched: Sendable {
  private struct State: Sendable {
    var watch: any ContainerWatch
    var isOver = false
  }

  private let source: any ByteSource
  private let state: Mutex<State>

  /// Returns `nil` if there is no watch for such a container.
  init?(_ source: any ByteSource) {
    let start = 0..<min(source.count, FileKind.prefixLength)
    // A source that cannot be read is reported by the reader.
    guard let prefix = try? source.bytes(in: start) else { return nil }
    let watch: any ContainerWatch
    switch FileKind(prefix: prefix) {
    case .matroska: watch = MatroskaWatch(count: source.count)
    case .ogg: watch = OggWatch(count: source.count)
    case .avi, .wave, .riff: watch = RIFFWatch(count: source.count)
    case .mpegPS: watch = ProgramWatch(count: source.count)
    case .mpegTS: watch = TransportWatch()
    case .adts, .mp3, .unknown:
      if let sound = try? SoundWatch(source) { watch = sound } else { watch = TransportWatch() }
    default: return nil
    }
    self.source = source
    state = Mutex(State(watch: watch))
  }

  func look(at bytes: Span<UInt8>, from offset: Int) {
    state.withLock { $0.watch.look(at: bytes, from: offset) }
  }

  /// Checks the end after everything was read.
  func finish() throws {
    try state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      try state.watch.finish(source)
    }
  }

  var words: [String] { state.withLock { $0.watch.words } }
  var unread: [Range<Int>] { state.withLock { $0.watch.unread } }
}

extension ForeignMedia {
  /// Opens the container in a source, whose bytes are watched as they are read.
  convenience init(_ source: any ByteSource, _ watch: Watched?) throws(MediaError) {
    let bytes = ForeignBytes(count: source.count) { range, output throws(MediaError) in
      do throws(SyntaxError) {
        let start = output.count
        try source.read(range, into: &output)
        watch?.look(at: output.span.extracting(start..<output.count), from: range.lowerBound)
      } catch {
        throw MediaError(error)
      }
    }
    do throws(MediaError) {
      try self.init(bytes)
    } catch {
      throw MediaError(error.kind, of: .input, error.message)
    }
  }
}
