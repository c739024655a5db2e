// SPDX-License-Identifier: MIT

internal import ApusDe265
internal import ApusFFmpeg
internal import ApusMedia

/// Decodes inter-predicted pictures with two decoders that must agree on every sample.
///
/// A damaged predicted picture usually decodes without an error, and libavcodec reports only the damage that it
/// conceals. libde265 reports more, and hardly ever decodes wrong bits to the same picture. If it is not installed, or
/// does not support the stream, libavcodec alone decides.
final class SecondOpinion: SalvagingDecoder {
  private let library: FFmpegDecoder
  private let other: De265Decoder?
  var name: String { library.name }
  var isSalvaging: Bool { library.isSalvaging }

  init(salvaging: Bool, threads: Int) throws(MediaError) {
    library = try FFmpegDecoder(salvaging: salvaging, threads: threads)
    other = try? De265Decoder()
  }

  /// Decodes a picture with libavcodec, and throws if the result of libde265 differs.
  func attempt(
    _ picture: CodedPicture, isStrict: Bool,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard isStrict, let other else {
      return try unsafe library.attempt(picture, isStrict: isStrict, body)
    }
    var isHanded = false
    do throws(MediaError) {
      try unsafe other.attempt(picture, isStrict: true) { other throws(MediaError) in
        isHanded = true
        try unsafe library.attempt(picture, isStrict: true) { view throws(MediaError) in
          guard unsafe view.agrees(with: other) else {
            throw MediaError(
              .corrupt, "is damaged: libavcodec and libde265 decode it differently")
          }
          try unsafe body(view)
        }
      }
    } catch {
      // A stream that libde265 does not support, or for which it lacks memory, proves nothing about the picture.
      guard !isHanded, error.kind != .corrupt, error.kind != .incomplete else { throw error }
      try unsafe library.attempt(picture, isStrict: true, body)
    }
  }
}

extension PictureView {
  /// Returns whether another view has the same format and the same samples.
  fileprivate func agrees(with other: PictureView) -> Bool {
    let format = unsafe format
    guard unsafe format == other.format else { return false }
    for index in 0..<format.planeCount {
      let bytes = format.width(ofPlane: index) * format.bytesPerSample
      for row in 0..<format.height(ofPlane: index) {
        let one = unsafe UnsafeRawBufferPointer(
          start: planes[index].base + row * planes[index].stride, count: bytes)
        let two = unsafe UnsafeRawBufferPointer(
          start: other.planes[index].base + row * other.planes[index].stride, count: bytes)
        guard unsafe one.elementsEqual(two) else { return false }
      }
    }
    return true
  }
}
