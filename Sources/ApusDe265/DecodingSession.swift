// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import CApusDe265
internal import HEVC

/// An open decoder of libde265.
///
/// The library does not report blocks that no slice covers, and marks cannot be used with sample adaptive offset. Such
/// pictures are decoded once more without filters, in a separate session, to determine the covered blocks.
@safe final class DecodingSession {
  let configuration: [UInt8]
  /// The parameter sets and messages of the configuration record.
  private let headers: [[UInt8]]
  private let library: LibDe265
  private let call: apus_de265
  private let buffers: PictureBuffers
  private let context: UnsafeMutableRawPointer
  private let isFiltering: Bool
  private var unfiltered: DecodingSession?

  /// - Parameter isFiltering: whether the in-loop filters are applied, as the standard requires.
  init(_ configuration: [UInt8], isFiltering: Bool = true, library: LibDe265)
    throws(MediaError)
  {
    self.configuration = configuration
    self.library = library
    self.isFiltering = isFiltering
    call = library.call
    buffers = PictureBuffers(library.call)
    do throws(SyntaxError) {
      headers = try DecoderConfigurationRecord(configuration).arrays.flatMap { $0.nalUnits }
    } catch {
      throw MediaError(.corrupt, "the configuration record is refused: \(error)")
    }
    guard let context = unsafe call.de265_new_decoder() else {
      throw MediaError(.memory, "there is no memory for a decoder")
    }
    unsafe self.context = unsafe context
    for parameter in [
      DE265_DECODER_PARAM_DISABLE_DEBLOCKING, DE265_DECODER_PARAM_DISABLE_SAO,
    ] {
      unsafe call.de265_set_parameter_bool(context, parameter, isFiltering ? 0 : 1)
    }
    unsafe call.de265_set_parameter_bool(
      context, DE265_DECODER_PARAM_BOOL_SEI_CHECK_HASH, isFiltering ? 1 : 0)
    // The buffers live as long as this object, which frees the context first.
    unsafe buffers.serve(context)
  }

  deinit { _ = unsafe call.de265_free_decoder(context) }

  /// Decodes samples, and passes the picture of the last one, once.
  func decode(
    _ picture: CodedPicture, _ framing: UnitFraming, isStrict: Bool,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    // The data after a failed unit may be intact: this bounds the number of attempts.
    var budget = try feed(picture, framing, isStrict: isStrict)
    let wanted = Int64(picture.samples.count - 1)
    var isFound = false
    var isCovered = false
    var more: Int32 = 1
    while more != 0, budget > 0 {
      let code = unsafe call.de265_decode(context, &more)
      if isStrict {
        try check(code)
        try unsafe check(call.de265_get_warning(context))
      } else if code != DE265_OK {
        more = 1
        budget -= 1
      }
      while let image = unsafe call.de265_get_next_picture(context) {
        if unsafe isStrict && isFiltering && !isCovered && !buffers.holds(image) {
          try checkCoverage(picture, framing)
          isCovered = true
        }
        if isStrict, let block = unsafe buffers.uncovered(image) {
          throw MediaError(
            .incomplete,
            "lacks part of its picture: no slice covers the block at column \(block.x), "
              + "row \(block.y)")
        }
        guard unsafe call.de265_get_image_PTS(image) == wanted else { continue }
        if isFound, isStrict { throw MediaError(.corrupt, "holds more than one picture") }
        if !isFound { try unsafe body(library.view(of: image)) }
        isFound = true
      }
    }
    guard isFound else {
      throw MediaError(
        .incomplete, "has no picture, or one that is predicted from a missing picture")
    }
  }

  /// Queues all units, and returns their number.
  private func feed(
    _ picture: CodedPicture, _ framing: UnitFraming, isStrict: Bool
  ) throws(MediaError) -> Int {
    unsafe call.de265_reset(context)
    // Pictures predicted from damaged or missing ones are not output.
    unsafe call.de265_set_parameter_bool(
      context, DE265_DECODER_PARAM_SUPPRESS_FAULTY_PICTURES, isStrict ? 1 : 0)
    for header in headers { try push(header[...], time: -1) }
    var count = headers.count
    for (index, sample) in picture.samples.enumerated() {
      // Units of other layers are enhancements that the base layer does not need.
      for unit in framing.units(of: sample)
      where sample[unit].layer == 0 && !hasUncheckedHash(sample[unit]) {
        try checkSize(sample[unit], limit: picture.pixelLimit)
        try push(sample[unit], time: Int64(index))
        count += 1
      }
    }
    try unsafe check(call.de265_flush_data(context))
    return count + 16
  }

  /// Returns whether libde265 would compare a hash of the picture incorrectly: it supports MD5, but not checksums with
  /// more than 8 bits.
  private func hasUncheckedHash(_ unit: ArraySlice<UInt8>) -> Bool {
    guard NALUnitHeader(of: Array(unit.prefix(2)))?.nalUnitType == .suffixSEI else { return false }
    let messages = NALUnit<SupplementalInformation>(Array(unit)).payload
    return (messages?.first(DecodedPictureHash.self)?.hashType ?? 0) != 0
  }

  private func push(_ unit: ArraySlice<UInt8>, time: Int64) throws(MediaError) {
    guard let count = Int32(exactly: unit.count) else {
      throw MediaError(.limit, "has a NAL unit of \(unit.count) bytes")
    }
    let code = unsafe unit.withUnsafeBytes { bytes in
      unsafe call.de265_push_NAL(context, bytes.baseAddress, count, time, nil)
    }
    try check(code)
  }

  /// Checks the size in a sequence parameter set, which may differ from that in the configuration, from which the limit
  /// comes.
  private func checkSize(_ unit: ArraySlice<UInt8>, limit: Int) throws(MediaError) {
    guard limit < Int.max, NALUnitHeader(of: Array(unit.prefix(2)))?.nalUnitType == .sps,
      let set = NALUnit<SequenceParameterSet>(Array(unit)).payload
    else { return }
    let size = set.format.codedSize
    guard size.width > limit / max(size.height, 1) else { return }
    throw MediaError(
      .limit,
      "announces \(size.width) × \(size.height) samples, where \(limit) are allowed")
  }

  private func checkCoverage(_ picture: CodedPicture, _ framing: UnitFraming)
    throws(MediaError)
  {
    let session: DecodingSession
    if let unfiltered {
      session = unfiltered
    } else {
      session = try DecodingSession(configuration, isFiltering: false, library: library)
    }
    unfiltered = nil
    try unsafe session.decode(picture, framing, isStrict: true) { _ throws(MediaError) in }
    unfiltered = session
  }

  /// Throws for errors, and for warnings, after which a picture is also incomplete or wrong.
  private func check(_ code: de265_error) throws(MediaError) {
    guard code == DE265_OK else {
      throw MediaError(.corrupt, "cannot be decoded: \(library.text(code))")
    }
  }
}

extension ArraySlice<UInt8> {
  /// The `nuh_layer_id` of a NAL unit: ITU-T H.265, 7.3.1.2.
  fileprivate var layer: Int {
    count < 2 ? 0 : Int(self[startIndex] & 1) << 5 | Int(self[startIndex + 1] >> 3)
  }
}
