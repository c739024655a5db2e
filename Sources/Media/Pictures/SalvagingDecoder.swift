// SPDX-License-Identifier: MIT

/// A decoder that can be asked to make what it can of damage. The first attempt is strict whatever was asked, so that
/// a picture is damaged or not by the same measure.
public protocol SalvagingDecoder: PictureDecoder {
  /// Whether a damaged picture is handed over before the error is thrown.
  var isSalvaging: Bool { get }

  /// Decodes a picture.
  ///
  /// - Parameter isStrict: whether damage is an error; otherwise the decoder conceals it in silence.
  func attempt(
    _ picture: CodedPicture, isStrict: Bool,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError)
}

extension SalvagingDecoder {
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

  /// Throws what the caller does: what is wrong with the picture, as the strict attempt found it.
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
      // Nothing could be made of it.
    }
    if let refusal { throw refusal }
  }
}
