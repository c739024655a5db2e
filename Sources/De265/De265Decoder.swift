// SPDX-License-Identifier: MIT

internal import Bytes
internal import CDe265
internal import HEVC
public import Media

/// libde265 as a decoder of HEVC pictures. Nothing of it is kept from picture to picture but its memory.
@safe public final class De265Decoder: PictureDecoder {
  public let name: String
  private let library: LibDe265
  private let call: apus_de265
  private let salvaging: Bool
  private let context: UnsafeMutableRawPointer

  /// - Parameter salvaging: whether a broken picture is handed over before the error is thrown.
  public init(salvaging: Bool = false) throws(PictureError) {
    library = try LibDe265.load()
    call = library.call
    self.salvaging = salvaging
    guard let context = call.de265_new_decoder?() else {
      throw PictureError(.memory, "there is no memory for a decoder")
    }
    unsafe self.context = unsafe context
    name = "libde265 \(library.version)"
  }

  deinit { _ = unsafe call.de265_free_decoder?(context) }

  public func decode(
    _ picture: CodedPicture, _ body: (PictureView) throws(PictureError) -> Void
  ) throws(PictureError) {
    guard picture.codec == .hevc, let framing = UnitFraming(picture) else {
      throw PictureError(.unsupported, "\(picture.codec.name) is not decoded by libde265")
    }
    unsafe call.de265_reset?(context)
    for unit in try headers(of: picture.configuration) { try push(unit[...], time: -1) }
    for (index, sample) in picture.samples.enumerated() {
      // Units of other layers are enhancements, which the picture of the base layer does without.
      for unit in try framing.units(of: sample) where sample[unit].layer == 0 {
        try push(sample[unit], time: Int64(index))
      }
    }
    try unsafe check(call.de265_flush_data?(context) ?? DE265_OK)
    try unsafe run(wanted: Int64(picture.samples.count - 1), body)
  }

  /// The parameter sets and messages of a configuration record.
  private func headers(of configuration: [UInt8]) throws(PictureError) -> [[UInt8]] {
    do throws(SyntaxError) {
      return try DecoderConfigurationRecord(configuration).arrays.flatMap { array in
        array.nalUnits
      }
    } catch {
      throw PictureError(.corrupt, "the configuration record is refused: \(error)")
    }
  }

  private func push(_ unit: ArraySlice<UInt8>, time: Int64) throws(PictureError) {
    guard let count = Int32(exactly: unit.count) else {
      throw PictureError(.limit, "has a NAL unit of \(unit.count) bytes")
    }
    let code = unsafe unit.withUnsafeBytes { bytes in
      unsafe call.de265_push_NAL?(context, bytes.baseAddress, count, time, nil)
    }
    try check(code ?? DE265_OK)
  }

  private func run(
    wanted: Int64, _ body: (PictureView) throws(PictureError) -> Void
  ) throws(PictureError) {
    var damage: PictureError?
    var isFound = false
    var more: Int32 = 1
    while more != 0 {
      let code = unsafe call.de265_decode?(context, &more) ?? DE265_OK
      if call.de265_isOK?(code) == 0 { damage = damage ?? failure(code) }
      damage = damage ?? warning()
      if let damage, !salvaging { throw damage }
      while let image = unsafe call.de265_get_next_picture?(context) {
        guard unsafe call.de265_get_image_PTS?(image) == wanted else { continue }
        guard !isFound else { throw PictureError(.corrupt, "holds more than one picture") }
        isFound = true
        try unsafe body(view(of: image))
      }
      if damage != nil { break }
    }
    guard isFound else { throw damage ?? PictureError(.incomplete, "holds no picture") }
    if let damage { throw damage }
  }

  /// What the decoder passed over, all of which leaves the picture incomplete or wrong.
  private func warning() -> PictureError? {
    let code = unsafe call.de265_get_warning?(context) ?? DE265_OK
    return code == DE265_OK ? nil : failure(code)
  }

  private func check(_ code: de265_error) throws(PictureError) {
    guard call.de265_isOK?(code) != 0 else { throw failure(code) }
  }

  private func failure(_ code: de265_error) -> PictureError {
    let text =
      unsafe call.de265_get_error_text?(code).map { unsafe String(cString: $0) }
      ?? "error \(code.rawValue)"
    return PictureError(.corrupt, "cannot be decoded: \(text)")
  }

  private func view(of image: OpaquePointer) throws(PictureError) -> PictureView {
    let chroma = unsafe call.de265_get_chroma_format?(image).rawValue ?? 0
    var format = unsafe PictureFormat(
      width: Int(call.de265_get_image_width?(image, 0) ?? 0),
      height: Int(call.de265_get_image_height?(image, 0) ?? 0),
      chroma: Chroma(rawValue: UInt8(truncatingIfNeeded: chroma)) ?? .monochrome,
      bitDepth: Int(call.de265_get_bits_per_pixel?(image, 0) ?? 0))
    if format.planeCount == 3, let colours = unsafe call.de265_get_bits_per_pixel?(image, 1) {
      guard Int(colours) == format.bitDepth else {
        throw PictureError(
          .unsupported, "has luma of \(format.bitDepth) bits and colours of \(colours)")
      }
    }
    format.bitDepth = max(format.bitDepth, 8)
    var view = unsafe PictureView(format: format, planes: [])
    for plane in 0..<format.planeCount {
      var stride: Int32 = 0
      guard let base = unsafe call.de265_get_image_plane?(image, Int32(plane), &stride) else {
        throw PictureError(.corrupt, "lacks a plane")
      }
      unsafe view.planes.append(PictureView.Plane(base: base, stride: Int(stride)))
    }
    return unsafe view
  }
}

extension ArraySlice<UInt8> {
  /// `nuh_layer_id` of a NAL unit: ITU-T H.265, 7.3.1.2.
  fileprivate var layer: Int {
    count < 2 ? 0 : Int(self[startIndex] & 1) << 5 | Int(self[startIndex + 1] >> 3)
  }
}
