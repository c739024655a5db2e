// SPDX-License-Identifier: MIT

/// A decoder that can recover damaged pictures as far as possible. The first attempt is always strict, so that damage
/// is judged by the same standard.
public protocol SalvagingDecoder: PictureDecoder {
  /// Whether a damaged picture is passed on before the error is thrown.
  var isSalvaging: Bool { get }

  /// Decodes a picture.
  ///
  /// - Parameter isStrict: whether damage is an error; otherwise the decoder conceals it silently.
  func attempt(
    _ picture: CodedPicture, isStrict: Bool,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError)
}

extension SalvagingDecoder {
  /// Decodes a picture strictly. If that fails before any planes were passed and the decoder is salvaging, passes the
  /// planes of a second attempt that conceals damage; the error of the first attempt is thrown nevertheless.
  public func decode(
    _ picture: CodedPicture, _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    var isHanded = false
    do throws(MediaError) {
      if let framing = UnitFraming(picture) { try framing.check(picture) }
      try unsafe attempt(picture, isStrict: true) { view throws(MediaError) in
        isHanded = true
        try unsafe body(view)
      }
    } catch {
      if isSalvaging, !isHanded { try unsafe salvage(picture, body) }
      throw error
    }
  }

  /// Recovers a damaged picture; the caller throws the error of the strict attempt.
  private func salvage(
    _ picture: CodedPicture, _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    var picture = picture
    if let framing = UnitFraming(picture) { picture.samples = picture.samples.map(framing.mended) }
    var refusal: MediaError?
    do throws(MediaError) {
      try unsafe attempt(picture, isStrict: false) { view throws(MediaError) in
        guard refusal == nil else { return }
        do throws(MediaError) {
          try unsafe body(view)
        } catch {
          refusal = error
        }
      }
    } catch {
      // The picture could not be recovered.
    }
    if let refusal { throw refusal }
  }
}
