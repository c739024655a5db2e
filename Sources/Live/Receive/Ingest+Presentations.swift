// SPDX-License-Identifier: MIT

internal import Files
internal import Glibc
internal import Media
internal import Presentations
internal import RTMP
internal import Transport

/// Streams that are presented over HTTP while they come.
extension Ingest {
  /// Nanoseconds after which a stream that is over does not come again as the same presentation.
  private static let patience: Int64 = 60_000_000_000

  /// The way of a stream into its presentation, which is that of the stream of this name before it where there was one.
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

  /// Ends what a process that was killed has left of presentations, where their streams have not come again when those of
  /// this one would be over.
  func endLeftPresentations() {
    guard let folder = options.presentations else { return }
    loop.after(Self.patience) { [weak self] in
      let names = GrowingManifest.folders(in: folder).filter { IngestOptions.plain($0) == $0 }
      self?.endLeft(names[...], in: folder)
    }
  }

  /// Looks at one presentation, and at the others when streams have had their turn.
  private func endLeft(_ names: ArraySlice<String>, in folder: String) {
    guard let name = names.first, !isStopping else { return }
    if presentations[name] == nil {
      do { try presentation(of: name, in: folder).endLeft() } catch {
        // Another process presents it, or the folder cannot be written: it stays.
      }
    }
    loop.after(20_000_000) { [weak self] in self?.endLeft(names.dropFirst(), in: folder) }
  }

  /// A stream that cannot be presented is recorded all the same. Where a file could not be written it is presented again
  /// after a while.
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

  /// The stream is over. Its presentation says so to players when it has not come again for a while.
  func endPresentation(_ name: String, _ stream: IngestStream) {
    guard let presentation = presentations[name] else { return }
    do { try stream.presentation?.end() } catch { giveUpPresentation(name, stream, error) }
    guard !isStopping else { return close(name, presentation) }
    loop.after(Self.patience) { [weak self] in
      // A publisher that came meanwhile continues it, and ends it later.
      guard let self, streams[name] == nil, presentations[name] === presentation else { return }
      close(name, presentation)
    }
  }

  /// The playlists say that nothing more comes, unless the next process continues.
  private func close(_ name: String, _ presentation: LivePresentation) {
    presentations[name] = nil
    do { try isLeaving ? presentation.leave() : presentation.close() } catch {
      onEvent(.presentationFailed(name: name, reason: MediaError(error).message))
    }
  }

  /// This server ends: so do the presentations of streams that may have come again.
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
    // What is there is read again by the next one.
    if error.kind != .io || presentation?.isOpen != true {
      presentation?.release()
      presentations[name] = nil
    }
  }
}
