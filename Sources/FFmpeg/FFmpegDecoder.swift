// SPDX-License-Identifier: MIT

internal import CFFmpeg
public import Media

/// libavcodec as a decoder of HEVC, H.264 and AV1 pictures.
///
/// Its context stays open as long as the configuration does, so that the tiles of a picture cost no set-up.
@safe public final class FFmpegDecoder: PictureDecoder {
  public let name: String
  private let library: LibAV
  private let salvaging: Bool
  private let threads: Int
  private var session: DecodingSession?

  /// - Parameters:
  ///   - salvaging: whether a broken picture is handed over before the error is thrown.
  ///   - threads: how many threads decode the slices and wavefront rows of one picture.
  public init(salvaging: Bool = false, threads: Int = 1) throws(PictureError) {
    library = try LibAV.load()
    self.salvaging = salvaging
    self.threads = threads
    name = "libavcodec \(library.version)"
  }

  public func decode(
    _ picture: CodedPicture, _ body: (PictureView) throws(PictureError) -> Void
  ) throws(PictureError) {
    if let framing = UnitFraming(picture) {
      for sample in picture.samples { _ = try framing.units(of: sample) }
    }
    let session = try open(picture)
    do throws(PictureError) {
      let damage = try unsafe session.decode(picture.samples, salvaging: salvaging) {
        frame throws(PictureError) in
        try unsafe body(frame)
      }
      if let damage { throw damage }
    } catch {
      // What a failed picture left behind must not touch the next one.
      self.session = nil
      throw error
    }
  }

  private func open(_ picture: CodedPicture) throws(PictureError) -> DecodingSession {
    if let session, session.codec == picture.codec,
      session.configuration == picture.configuration
    {
      return session
    }
    session = nil
    let opened = try DecodingSession(
      picture.codec, configuration: picture.configuration, threads: threads,
      salvaging: salvaging, library: library)
    session = opened
    return opened
  }
}
