// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusHEIF

/// A decoder that uses libheif for pictures in the form of a HEIF file with one item, with whatever codecs the library
/// was built with. It creates a context for each picture, and has its own limits (32,768 samples per side in 1.15).
///
/// Planes are returned as coded; by versions before 1.17, which do not state the coding, as RGB. RGB planes are in the
/// order green, blue, red, as the format states.
@safe public final class LibHEIFDecoder: SalvagingDecoder {
  /// The library with its version.
  public let name: String
  /// Always `false`: damaged pictures are not passed on.
  public let isSalvaging = false
  private let library: LibHEIF
  private let call: apus_heif

  /// Creates a decoder; throws if libheif cannot be loaded.
  public init() throws(MediaError) {
    library = try LibHEIF.load()
    call = library.call
    name = "libheif \(library.version)"
  }

  /// Decodes a picture; throws if it is damaged.
  public func attempt(
    _ picture: CodedPicture, isStrict: Bool,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard let file = picture.samples.last, let context = unsafe call.heif_context_alloc() else {
      throw MediaError(.memory, "there is no memory for a decoder")
    }
    defer { unsafe call.heif_context_free(context) }
    // The library accesses the file's memory as long as the context lives.
    var result: Result<Void, MediaError> = .success(())
    unsafe file.withUnsafeBytes { bytes in
      do throws(MediaError) {
        try unsafe decode(bytes, picture.codec, context, body)
      } catch {
        result = .failure(error)
      }
    }
    try result.get()
  }

  private func decode(
    _ file: UnsafeRawBufferPointer, _ codec: PictureCodec, _ context: OpaquePointer,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    try unsafe check(
      call.heif_context_read_from_memory_without_copy(context, file.baseAddress, file.count, nil),
      codec)
    var handle: OpaquePointer?
    let code = unsafe call.heif_context_get_primary_image_handle(context, &handle)
    try unsafe check(code, codec)
    defer { unsafe call.heif_image_handle_release(handle) }
    var (space, chroma) = (heif_colorspace_undefined, heif_chroma_undefined)
    _ = unsafe call.heif_image_handle_get_preferred_decoding_colorspace?(handle, &space, &chroma)
    if chroma.rawValue >= heif_chroma_interleaved_RGB.rawValue {
      (space, chroma) = (heif_colorspace_RGB, heif_chroma_444)
    }
    let image = try unsafe image(of: handle, codec, space, chroma)
    defer { unsafe call.heif_image_release(image) }
    if let warning = unsafe warning(of: image) {
      throw MediaError(.corrupt, "cannot be decoded without damage: \(warning)")
    }
    try unsafe body(view(of: image))
  }

  private func image(
    of handle: OpaquePointer?, _ codec: PictureCodec, _ space: heif_colorspace,
    _ chroma: heif_chroma
  ) throws(MediaError) -> OpaquePointer? {
    let options = unsafe call.heif_decoding_options_alloc()
    defer { unsafe call.heif_decoding_options_free(options) }
    unsafe options?.pointee.ignore_transformations = 1
    if let options = unsafe options, unsafe options.pointee.version >= 3 {
      unsafe options.pointee.strict_decoding = 1
    }
    var image: OpaquePointer?
    try unsafe check(call.heif_decode_image(handle, &image, space, chroma, options), codec)
    return unsafe image
  }

  /// Returns the first warning of the library.
  private func warning(of image: OpaquePointer?) -> String? {
    var warning = unsafe heif_error()
    let count = unsafe call.heif_image_get_decoding_warnings(image, 0, &warning, 1)
    return count > 0 ? unsafe String(cString: warning.message) : nil
  }

  private func check(_ error: heif_error?, _ codec: PictureCodec) throws(MediaError) {
    guard let error = unsafe error, unsafe error.code != heif_error_Ok else { return }
    // Items of types without support in this build do not exist for the library.
    if unsafe error.subcode == heif_suberror_Nonexisting_item_referenced {
      throw unsupported(codec)
    }
    switch unsafe error.code {
    case heif_error_Unsupported_feature, heif_error_Unsupported_filetype,
      heif_error_Plugin_loading_error:
      // From 1.19, the last one means a decoder that is not installed.
      throw unsupported(codec)
    case heif_error_Memory_allocation_error:
      throw MediaError(.limit, unsafe "is refused: \(String(cString: error.message))")
    default:
      throw MediaError(.corrupt, unsafe "cannot be decoded: \(String(cString: error.message))")
    }
  }

  private func unsupported(_ codec: PictureCodec) -> MediaError {
    MediaError(
      .unsupported, "\(codec.name) pictures need a libheif with that decoder, this is \(name)")
  }

  private func view(of image: OpaquePointer?) throws(MediaError) -> PictureView {
    let chroma: Chroma
    var channels = [heif_channel_Y, heif_channel_Cb, heif_channel_Cr]
    switch unsafe call.heif_image_get_chroma_format(image) {
    case apus_heif_one_plane:
      chroma = .monochrome
      channels = [heif_channel_Y]
    case heif_chroma_420: chroma = .yuv420
    case heif_chroma_422: chroma = .yuv422
    case heif_chroma_444: chroma = .yuv444
    default: throw MediaError(.unsupported, "decodes to samples in a form that is not known here")
    }
    let isRGB = unsafe call.heif_image_get_colorspace(image) == heif_colorspace_RGB
    if isRGB { channels = [heif_channel_G, heif_channel_B, heif_channel_R] }
    let depth = unsafe Int(call.heif_image_get_bits_per_pixel_range(image, channels[0]))
    guard (8...16).contains(depth) else {
      throw MediaError(.unsupported, "has samples of \(depth) bits")
    }
    var format = unsafe PictureFormat(
      width: Int(call.heif_image_get_width(image, channels[0])),
      height: Int(call.heif_image_get_height(image, channels[0])), chroma: chroma,
      bitDepth: depth)
    format.isRGB = isRGB
    var view = unsafe PictureView(format: format, planes: [])
    for channel in channels {
      var stride: Int32 = 0
      guard let base = unsafe call.heif_image_get_plane_readonly(image, channel, &stride) else {
        throw MediaError(.corrupt, "lacks a plane")
      }
      unsafe view.planes.append(PictureView.Plane(base: base, stride: Int(stride)))
    }
    return unsafe view
  }
}
