// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

/// libavcodec as a decoder of HEVC, H.264 and AV1 pictures.
///
/// Its context stays open as long as the configuration is the same, so that the tiles of a picture need no set-up.
///
/// Two kinds of damage are not found: an HEVC slice that lost its end but not its framing, because libavcodec continues
/// with zeros; and damage that decodes to something else, unless an SEI message has an MD5 hash of the picture (other
/// hashes are not checked).
@safe public final class FFmpegDecoder: SalvagingDecoder {
  public let name: String
  /// Whether a broken picture is passed on before the error is thrown.
  public let isSalvaging: Bool
  private let library: LibAV
  private let threads: Int
  private var session: DecodingSession?

  /// - Parameters:
  ///   - salvaging: whether a broken picture is passed on before the error is thrown.
  ///   - threads: the number of threads for the slices and wavefront rows of one picture.
  public init(salvaging: Bool = false, threads: Int = 1) throws(MediaError) {
    library = try LibAV.load()
    isSalvaging = salvaging
    self.threads = threads
    name = "libavcodec \(library.version)"
  }

  /// Decodes a picture, and calls the closure with its samples.
  ///
  /// - Parameter isStrict: whether damage throws before the closure is called, instead of being concealed.
  public func attempt(
    _ picture: CodedPicture, isStrict: Bool,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard isStrict else { return try unsafe conceal(picture, body) }
    let session = try open(picture)
    // The remains of a failed picture must not affect the next one.
    self.session = nil
    try unsafe session.decode(picture, body)
    self.session = session
  }

  /// Decodes a damaged picture with concealment. The result depends on the progress of other threads and on earlier
  /// pictures, so a new session with one thread is used, which always gives the same result.
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
