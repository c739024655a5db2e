// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
internal import CApusDe265
internal import HEVC

/// A decoder of HEVC pictures that uses libde265. Its context stays open while the configuration is unchanged.
///
/// It cannot detect damage that decodes to other samples, unless an SEI message contains a hash of the picture.
@safe public final class De265Decoder: SalvagingDecoder {
  /// The library with its version.
  public let name: String
  /// Whether a broken picture is passed on before the error is thrown.
  public let isSalvaging: Bool
  private let library: LibDe265
  private var session: DecodingSession?

  /// - Parameter salvaging: whether a broken picture is passed on before the error is thrown.
  public init(salvaging: Bool = false) throws(MediaError) {
    library = try LibDe265.load()
    isSalvaging = salvaging
    name = "libde265 \(library.version)"
  }

  /// Decodes a picture. After an error, the context is closed, so that it cannot affect the next picture.
  public func attempt(
    _ picture: CodedPicture, isStrict: Bool,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard picture.codec == .hevc, let framing = UnitFraming(picture) else {
      throw MediaError(.unsupported, "\(picture.codec.name) is not decoded by libde265")
    }
    let session = try open(picture.configuration)
    // The state after a failed picture must not affect the next one.
    self.session = nil
    try unsafe session.decode(picture, framing, isStrict: isStrict, body)
    self.session = session
  }

  private func open(_ configuration: [UInt8]) throws(MediaError) -> DecodingSession {
    if let session, session.configuration == configuration { return session }
    session = nil
    return try DecodingSession(configuration, library: library)
  }
}
