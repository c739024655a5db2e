// SPDX-License-Identifier: MIT

internal import ApusContainers
internal import ApusFiles
internal import ApusMedia
internal import ApusThreads
internal import ApusTransport
internal import RTMP

/// The files of streams: their names, the time when the next one begins, and their final form.
extension Ingest {
  /// Records a tag, in a new file when one is due. If it cannot be recorded, the stream may be ended.
  func record(_ tag: ReceivedTag, of name: String, _ stream: IngestStream) {
    do {
      if stream.beginsFile(with: tag, options.parts, at: loop.now) {
        try beginPart(of: name, stream, at: tag.time)
      }
      try stream.record(tag)
    } catch {
      stopRecording(name, stream, because: error)
    }
  }

  /// Stops recording a stream after a failure. If its file could not be written, for example because a disk is full,
  /// other receivers of the stream keep getting it, and a new file is tried after a while. A stream without other
  /// receivers ends, so that its publisher notices.
  func stopRecording(_ name: String, _ stream: IngestStream, because error: any Error) {
    let error = MediaError(error)
    onEvent(.failed(client: stream.publisher, name: name, reason: error.message))
    guard error.kind == .io, isWanted(stream) else {
      let link = links.removeValue(forKey: stream.publisher)
      end(name, stream, error: error.message)
      link?.abort()
      return endIfDone()
    }
    guard let ended = stream.stopRecording(at: loop.now) else { return }
    for words in ended.warnings { onEvent(.warning(client: stream.publisher, words)) }
    finish(name, ended)
  }

  /// Returns whether the stream has receivers other than its recording.
  private func isWanted(_ stream: IngestStream) -> Bool {
    stream.forward != nil || options.presentations != nil || stream.players.count > 0
  }

  /// Begins the next file of a stream; returns `nil` if an existing file of its name is kept.
  func file(of name: String) throws -> GrowingFile? {
    while true {
      let number = numbers[name, default: 0] + 1
      numbers[name] = number
      let path = options.name.path(of: name, number: number)
      if options.makesFolders { try OutputFolder.make(for: path) }
      // A number that an earlier run has used leads to the next.
      let isCounted = options.name.counts && options.onExists == .rename
      let onExists = paths.contains(path) ? .rename : options.onExists
      if let file = try GrowingFile(path, onExists: isCounted ? .skip : onExists) {
        paths.insert(path)
        return file
      }
      guard isCounted, number < 1 << 20 else { return nil }
    }
  }

  /// Continues the recording in another file.
  private func beginPart(of name: String, _ stream: IngestStream, at time: Int64) throws {
    guard let file = try file(of: name) else {
      throw MediaError(.misuse, "the file of the next part already exists")
    }
    let path = file.path
    if var ended = try stream.beginPart(Recording(file, as: options.target), at: time) {
      do {
        try ended.end()
        try ended.flush()
      } catch {
        // The stream continues; the written part is kept.
        onEvent(
          .unfinished(name: name, path: ended.file.path, reason: MediaError(error).message))
      }
      for words in ended.warnings { onEvent(.warning(client: stream.publisher, words)) }
      finish(name, ended)
    }
    onEvent(.part(client: stream.publisher, name: name, path: path))
  }

  /// Writes the final form on its own thread: a long recording takes its time.
  func finish(_ name: String, _ recording: borrowing Recording) {
    let path = recording.file.path
    guard recording.holdsSomething, !recording.file.isHidden else {
      let isHidden = recording.file.isHidden
      if let error = recording.file.remove() {
        return onEvent(.unfinished(name: name, path: path, reason: "\(error)"))
      }
      return onEvent(.empty(name: name, path: path, isOldThere: isHidden))
    }
    let final = FinishedRecording(path: path, target: recording.target)
    finishing += 1
    let isStarted = Thread.start { [self, loop, onFinished = options.onFinished] in
      let outcome = Result { try final.write() }
      var doubt: String?
      if case .success = outcome { doubt = onFinished?(final.path, name) }
      loop.perform { [self, doubt] in finished(name, final.path, outcome, doubt) }
    }
    if !isStarted { finished(name, final.path, Result { try final.write() }, nil) }
  }

  private func finished(
    _ name: String, _ path: String, _ outcome: Result<Int, any Error>, _ doubt: String?
  ) {
    finishing -= 1
    switch outcome {
    case .success(let bytes):
      onEvent(.written(name: name, path: path, bytes: bytes))
      if let doubt { onEvent(.unfinished(name: name, path: path, reason: doubt)) }
      finished[name, default: FinishedParts()].add(path, bytes: bytes, at: loop.now)
      prune(name)
    case .failure(let error):
      onEvent(.unfinished(name: name, path: path, reason: "\(error)"))
    }
    endIfDone()
  }

  /// Removes finished parts that exceed the limits.
  func prune(_ name: String) {
    guard let removed = finished[name]?.prune(options.parts, at: loop.now) else { return }
    for (path, error) in removed {
      if let error {
        onEvent(.unfinished(name: name, path: path, reason: "\(error)"))
      } else {
        onEvent(.removed(name: name, path: path))
      }
    }
  }
}
