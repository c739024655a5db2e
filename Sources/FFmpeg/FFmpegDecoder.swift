// SPDX-License-Identifier: MIT

internal import CFFmpeg
public import Media

/// libavcodec as a decoder of HEVC, H.264 and AV1 pictures.
///
/// Its context stays open as long as the configuration does, so that the tiles of a picture cost no set-up.
///
/// Two kinds of damage are not found: an HEVC slice that lost its end but not its framing, for libavcodec continues with
/// zeros; and damage that decodes to something else, unless an SEI message has an MD5 hash of the picture (other hashes
/// are not checked).
@safe public final class FFmpegDecoder: SalvagingDecoder {
  public let name: String
  public let isSalvaging: Bool
  private let library: LibAV
  private let threads: Int
  private var session: DecodingSession?

  /// - Parameters:
  ///   - salvaging: whether a broken picture is handed over before the error is thrown.
  ///   - threads: how many threads decode the slices and wavefront rows of one picture.
  public init(salvaging: Bool = false, threads: Int = 1) throws(MediaError) {
    library = try LibAV.load()
    isSalvaging = salvaging
    self.threads = threads
    name = "libavcodec \(library.version)"
  }

  public func attempt(
    _ picture: CodedPicture, isStrict: Bool,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard isStrict else { return try unsafe conceal(picture, body) }
    let session = try open(picture)
    // What a failed picture left behind must not touch the next one.
    self.session = nil
    try unsafe session.decode(picture, body)
    self.session = session
  }

  /// What becomes of damage depends on how far other threads have come, and on the pictures before. One thread that begins
  /// anew makes the same of it each time.
  private func conceal(
    _ picture: CodedPicture, _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    session = nil
    let session = try DecodingSession(picture, threads: 1, isStrict: false, library: library)
    try unsafe session.decode(picture, body)
  }

  private func open(_ picture: CodedPicture) throws(MediaError) -> DecodingSession {
    if let session, session.codec == picture.codec, session.configuration == picture.configuration {
      return session
    }
    session = nil
    return try DecodingSession(picture, threads: threads, isStrict: true, library: library)
  }
}
