// SPDX-License-Identifier: MIT

internal import Bytes
internal import CDe265
internal import HEVC
public import Media

/// libde265 as a decoder of HEVC pictures. Its context stays open as long as the configuration does.
///
/// What it cannot tell: damage that decodes to something else, but where a hash of the picture is there in an SEI
/// message.
@safe public final class De265Decoder: SalvagingDecoder {
  public let name: String
  public let isSalvaging: Bool
  private let library: LibDe265
  private var session: DecodingSession?

  /// - Parameter salvaging: whether a broken picture is handed over before the error is thrown.
  public init(salvaging: Bool = false) throws(MediaError) {
    library = try LibDe265.load()
    isSalvaging = salvaging
    name = "libde265 \(library.version)"
  }

  public func attempt(
    _ picture: CodedPicture, isStrict: Bool,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard picture.codec == .hevc, let framing = UnitFraming(picture) else {
      throw MediaError(.unsupported, "\(picture.codec.name) is not decoded by libde265")
    }
    let session = try open(picture.configuration)
    // What a failed picture left behind must not touch the next one.
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
