// SPDX-License-Identifier: MIT

internal import ApusFiles
internal import ApusMedia
internal import ApusPresentations
internal import ApusTransport
internal import Glibc
internal import RTMP

/// The presentation of live streams over HTTP.
extension Ingest {
  /// Nanoseconds after which an ended stream is no longer continued in the same presentation.
  private static let patience: Int64 = 60_000_000_000

  /// Returns the feed of a stream into its presentation, which is that of the previous stream of this name if there was
  /// one.
  func present(_ name: String) -> PresentationFeed? {
    guard let folder = options.presentations else { return nil }
    if let known = presentations[name] { return PresentationFeed(known) }
    let presentation = presentation(of: name, in: folder)
    presentation.onPlaylist = options.onPlaylist.map { report in { report(name, $0) } }
    presentations[name] = presentation
    return PresentationFeed(presentation)
  }

  private func presentation(of name: String, in folder: String) -> LivePresentation {
    LivePresentation(
      in: "\(folder.hasSuffix("/") ? folder : folder + "/")\(name)/", options.presentation,
      now: Int(Glibc.time(nil)), date: PresentationFeed.date)
  }

  /// Ends the presentations left by a process that was killed, if their streams have not been resumed after the usual
  /// time.
  func endLeftPresentations() {
    guard let folder = options.presentations else { return }
    loop.after(Self.patience) { [weak self] in
      let names = GrowingManifest.folders(in: folder).filter { IngestOptions.plain($0) == $0 }
      self?.endLeft(names[...], in: folder)
    }
  }

  /// Ends one presentation if it is over, and the others after giving streams their turn.
  private func endLeft(_ names: ArraySlice<String>, in folder: String) {
    guard let name = names.first, !isStopping else { return }
    if presentations[name] == nil {
      do { try presentation(of: name, in: folder).endLeft() } catch {
        // Another process presents it, or the folder cannot be written: it is left alone.
      }
    }
    loop.after(20_000_000) { [weak self] in self?.endLeft(names.dropFirst(), in: folder) }
  }

  /// Presents a tag. A stream that cannot be presented is recorded all the same. After a failure to write a file, the
  /// presentation is resumed after a while.
  func show(_ tag: ReceivedTag, of name: String, _ stream: IngestStream) {
    do {
      var tags = [tag]
      if let failed = stream.unpresented, stream.presentation == nil,
        loop.now - failed >= IngestStream.patience, stream.canBegin(with: tag)
      {
        stream.presentation = present(name)
        tags = stream.setup(at: tag.time) + tags
      }
      for tag in tags {
        for words in try stream.presentation?.add(tag) ?? [] {
          onEvent(.warning(client: stream.publisher, "\(words) in the HLS presentation"))
        }
      }
      guard stream.unpresented != nil, stream.presentation?.presentation.isCurrent == true else {
        return
      }
      stream.unpresented = nil
      onEvent(.presentationResumed(name: name))
    } catch {
      giveUpPresentation(name, stream, error)
    }
  }

  /// Ends a stream. Its presentation tells players that it is over if it has not been resumed for a while.
  func endPresentation(_ name: String, _ stream: IngestStream) {
    guard let presentation = presentations[name] else { return }
    do { try stream.presentation?.end() } catch { giveUpPresentation(name, stream, error) }
    guard !isStopping else { return close(name, presentation) }
    loop.after(Self.patience) { [weak self] in
      // A publisher that came meanwhile continues the presentation, and ends it later.
      guard let self, streams[name] == nil, presentations[name] === presentation else { return }
      close(name, presentation)
    }
  }

  /// Closes the playlists for good, unless the next process continues them.
  private func close(_ name: String, _ presentation: LivePresentation) {
    presentations[name] = nil
    do { try isLeaving ? presentation.leave() : presentation.close() } catch {
      onEvent(.presentationFailed(name: name, reason: MediaError(error).message))
    }
  }

  /// Ends the presentations of streams that might have been resumed, because this server ends.
  func closePresentations() {
    for (name, presentation) in presentations where streams[name] == nil {
      close(name, presentation)
    }
  }

  private func giveUpPresentation(_ name: String, _ stream: IngestStream, _ error: any Error) {
    let error = MediaError(error)
    onEvent(.presentationFailed(name: name, reason: error.message))
    let presentation = stream.presentation?.presentation
    presentation?.interrupt()
    stream.presentation = nil
    if error.kind == .io { stream.unpresented = loop.now }
    // The next presentation reads the existing files again.
    if error.kind != .io || presentation?.isOpen != true {
      presentation?.release()
      presentations[name] = nil
    }
  }
}
