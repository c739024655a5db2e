// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusX265

/// An encoder that uses libx265. It has its own threads (`pools`, `frame-threads`), and writes nothing to the error
/// stream.
///
/// Its output does not depend on the number of threads in its pools, but on `frame-threads`, which x265 chooses
/// according to the machine unless the caller does.
@safe public final class X265Encoder {
  /// The library with its version, such as `libx265 3.5`.
  public let name: String
  /// The settings with which the encoder was created.
  public let settings: X265Settings
  /// The parameter sets and the messages for the whole stream, as NAL units without start codes.
  public let headers: [[UInt8]]
  /// The format of the coded pictures, whose sides are even if colour subsampling requires it, with the last column or
  /// row repeated.
  public let codedFormat: PictureFormat
  private let call: apus_x265
  private let parameters: UnsafeMutablePointer<x265_param>
  private let input: UnsafeMutablePointer<x265_picture>
  private let output: UnsafeMutablePointer<x265_picture>
  private let encoder: OpaquePointer
  private let padded: Picture?
  /// The offsets for each quantizer block, of which 8 samples is the minimum; empty if all are 0.
  private let offsets: UnsafeMutableBufferPointer<Float>?
  private var lastTime: Int64?
  private var taken = 0
  private var isFinished = false

  /// Creates an encoder; throws if libx265 cannot be loaded, or rejects a setting.
  public init(_ settings: X265Settings) throws(MediaError) {
    let library = try LibX265.load(bitDepth: settings.bitDepth)
    let call = library.call
    let parts = try unsafe Self.open(settings, call)
    unsafe (parameters, input, output, encoder) = unsafe (
      parts.parameters, parts.input, parts.output, parts.encoder
    )
    self.call = call
    headers = unsafe parts.headers
    self.settings = settings
    codedFormat = settings.codedFormat
    let isPadded = codedFormat != settings.format
    padded = isPadded ? Picture(codedFormat) : nil
    name = "libx265 \(library.version)"
    if settings.quantizerOffset != 0 {
      // Pictures are padded to whole coding blocks of 64.
      let count = (codedFormat.width + 64) / 8 * ((codedFormat.height + 64) / 8)
      let offsets = UnsafeMutableBufferPointer<Float>.allocate(capacity: count)
      unsafe offsets.initialize(repeating: settings.quantizerOffset)
      unsafe self.offsets = unsafe offsets
      unsafe input.pointee.quantOffsets = offsets.baseAddress
    } else {
      unsafe self.offsets = nil
    }
  }

  deinit {
    unsafe call.encoder_close(encoder)
    unsafe call.picture_free(input)
    unsafe call.picture_free(output)
    unsafe call.param_free(parameters)
    unsafe offsets?.deallocate()
  }

  /// Encodes a picture, and returns pictures that are ready, in decoding order: none at first, because the encoder
  /// looks ahead. The samples are copied.
  ///
  /// - Parameters:
  ///   - time: the presentation time in any unit, greater than that of the previous picture.
  ///   - forcesKey: whether decoding must be able to begin with it.
  public func encode(_ picture: PictureView, time: Int64, forcesKey: Bool = false)
    throws(MediaError) -> [EncodedPicture]
  {
    guard !isFinished else { throw MediaError(.misuse, "the encoder has finished already") }
    guard unsafe picture.format == settings.format else {
      throw MediaError(
        .misuse, unsafe "a picture is \(picture.format), the encoder takes \(settings.format)")
    }
    if let lastTime, time <= lastTime {
      throw MediaError(
        .misuse, "a picture is shown at \(time), no later than the one before, at \(lastTime)")
    }
    lastTime = time
    var planes = unsafe picture.planes
    if let padded {
      unsafe padded.repeatEdges(of: picture)
      unsafe planes[0] = unsafe padded.view.planes[0]
    }
    try unsafe set(planes)
    unsafe input.pointee.pts = time
    unsafe input.pointee.sliceType = forcesKey ? X265_TYPE_IDR : X265_TYPE_AUTO
    taken += 1
    return try unsafe turn(input).map { [$0] } ?? []
  }

  /// Returns all remaining pictures; nothing can be encoded afterwards.
  public func finish() throws(MediaError) -> [EncodedPicture] {
    guard !isFinished else { return [] }
    isFinished = true
    var pictures: [EncodedPicture] = []
    while let picture = try unsafe turn(nil) { pictures.append(picture) }
    return pictures
  }

  private func set(_ planes: [PictureView.Plane]) throws(MediaError) {
    unsafe input.pointee.bitDepth = Int32(settings.format.bitDepth)
    for index in unsafe planes.indices {
      let plane = unsafe planes[index]
      guard let stride = unsafe Int32(exactly: plane.stride) else {
        throw unsafe MediaError(.limit, "a row of \(plane.stride) bytes is too long for libx265")
      }
      let base = unsafe UnsafeMutableRawPointer(mutating: plane.base)
      switch index {
      case 0: unsafe (input.pointee.planes.0, input.pointee.stride.0) = unsafe (base, stride)
      case 1: unsafe (input.pointee.planes.1, input.pointee.stride.1) = unsafe (base, stride)
      default: unsafe (input.pointee.planes.2, input.pointee.stride.2) = unsafe (base, stride)
      }
    }
  }

  /// Passes a picture to the encoder, or `nil` after the last one, and takes one from it.
  private func turn(_ picture: UnsafeMutablePointer<x265_picture>?) throws(MediaError)
    -> EncodedPicture?
  {
    var units: UnsafeMutablePointer<x265_nal>?
    var count: UInt32 = 0
    var table = call
    let code = unsafe apus_x265_encode(&table, encoder, &units, &count, picture, output)
    guard code >= 0 else { throw MediaError(.corrupt, "libx265 failed to encode a picture") }
    guard count > 0, let units = unsafe units else { return nil }
    let list = unsafe UnsafeBufferPointer(start: units, count: Int(count))
    let isKey = unsafe list.contains { unsafe (16...23).contains($0.type) }
    let time = unsafe output.pointee.pts
    // The library subtracts the times of up to three pictures, reading arbitrary memory if there are fewer; two are
    // decoded in display order.
    let isShort = isFinished && taken < 3
    return unsafe EncodedPicture(
      payload: bytes(of: list), presentationTime: time,
      decodeTime: isShort ? time : output.pointee.dts, kind: kind(output.pointee.sliceType),
      isKey: isKey)
  }

  private func kind(_ sliceType: Int32) -> EncodedPicture.Kind {
    switch sliceType {
    case X265_TYPE_IDR, X265_TYPE_I: .intra
    case X265_TYPE_P: .predicted
    default: .bidirectional
    }
  }

  /// Returns the units that are not in the headers: x265 repeats those if every picture is a key frame.
  private func bytes(of units: UnsafeBufferPointer<x265_nal>) -> [UInt8] {
    let size = unsafe units.reduce(0) { unsafe $0 + Int($1.sizeBytes) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    for index in units.indices {
      let unit = unsafe units[index]
      let coded = unsafe UnsafeBufferPointer(start: unit.payload, count: Int(unit.sizeBytes))
      let isHeader =
        unsafe unit.type >= 32 && headers.contains { unsafe $0.elementsEqual(coded.dropFirst(4)) }
      if !isHeader { unsafe bytes.append(contentsOf: coded) }
    }
    return bytes
  }
}
