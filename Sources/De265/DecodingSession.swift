// SPDX-License-Identifier: MIT

internal import Bytes
internal import CDe265
internal import HEVC
internal import Media

/// An open decoder of libde265.
@safe final class DecodingSession {
  let configuration: [UInt8]
  /// Parameter sets and messages of the configuration record.
  private let headers: [[UInt8]]
  private let library: LibDe265
  private let call: apus_de265
  private let buffers: PictureBuffers
  private let context: UnsafeMutableRawPointer

  init(_ configuration: [UInt8], library: LibDe265) throws(PictureError) {
    self.configuration = configuration
    self.library = library
    call = library.call
    buffers = PictureBuffers(library.call)
    do throws(SyntaxError) {
      headers = try DecoderConfigurationRecord(configuration).arrays.flatMap { $0.nalUnits }
    } catch {
      throw PictureError(.corrupt, "the configuration record is refused: \(error)")
    }
    guard let context = call.de265_new_decoder?() else {
      throw PictureError(.memory, "there is no memory for a decoder")
    }
    unsafe self.context = unsafe context
    unsafe call.de265_set_parameter_bool?(context, DE265_DECODER_PARAM_BOOL_SEI_CHECK_HASH, 1)
    // The buffers live as long as this object, which frees the context first.
    unsafe buffers.serve(context)
  }

  deinit { _ = unsafe call.de265_free_decoder?(context) }

  /// Decodes samples and hands over the picture of the last one, once.
  func decode(
    _ picture: CodedPicture, _ framing: UnitFraming, isStrict: Bool,
    _ body: (PictureView) throws(PictureError) -> Void
  ) throws(PictureError) {
    unsafe call.de265_reset?(context)
    buffers.begin(pixelLimit: picture.pixelLimit)
    for header in headers { try push(header[...], time: -1) }
    var budget = headers.count + 16
    for (index, sample) in picture.samples.enumerated() {
      // Units of other layers are enhancements, which the picture of the base layer does without.
      for unit in framing.units(of: sample) where sample[unit].layer == 0 {
        try push(sample[unit], time: Int64(index))
        budget += 4
      }
    }
    try unsafe check(call.de265_flush_data?(context) ?? DE265_OK)
    var wanted = Wanted(time: Int64(picture.samples.count - 1))
    var more: Int32 = 1
    while more != 0, budget > 0 {
      let code = unsafe call.de265_decode?(context, &more) ?? DE265_OK
      if isStrict {
        try check(code)
        try unsafe check(call.de265_get_warning?(context) ?? DE265_OK)
        guard buffers.count <= picture.samples.count else {
          throw PictureError(.incomplete, "is predicted from a picture that is not there")
        }
      } else if code != DE265_OK {
        // There may be units after the one that failed.
        more = 1
        budget -= 1
      }
      try unsafe receive(&wanted, isStrict, body)
    }
    guard wanted.isFound else { throw PictureError(.incomplete, "holds no picture") }
  }

  /// The picture that is looked for, by the number of its sample.
  private struct Wanted {
    let time: Int64
    var isFound = false
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

  private func receive(
    _ wanted: inout Wanted, _ isStrict: Bool,
    _ body: (PictureView) throws(PictureError) -> Void
  ) throws(PictureError) {
    while let image = unsafe call.de265_get_next_picture?(context) {
      guard unsafe call.de265_get_image_PTS?(image) == wanted.time else { continue }
      if wanted.isFound {
        guard isStrict else { return }
        throw PictureError(.corrupt, "holds more than one picture")
      }
      if isStrict, let block = unsafe buffers.uncovered(image) {
        throw PictureError(
          .incomplete,
          "lacks part of its picture: no slice covers the block at column \(block.x), "
            + "row \(block.y)")
      }
      wanted.isFound = true
      try unsafe body(library.view(of: image))
    }
  }

  /// Warnings too leave a picture incomplete or wrong.
  private func check(_ code: de265_error) throws(PictureError) {
    guard code != DE265_OK else { return }
    if let failure = buffers.failure { throw failure }
    throw PictureError(.corrupt, "cannot be decoded: \(library.text(code))")
  }
}

extension ArraySlice<UInt8> {
  /// `nuh_layer_id` of a NAL unit: ITU-T H.265, 7.3.1.2.
  fileprivate var layer: Int {
    count < 2 ? 0 : Int(self[startIndex] & 1) << 5 | Int(self[startIndex + 1] >> 3)
  }
}
