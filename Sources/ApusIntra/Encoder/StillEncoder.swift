// SPDX-License-Identifier: MIT

public import ApusMedia
internal import HEVC

/// An encoder of single intra pictures: HEVC in 4:2:0 or monochrome, with 8 or 10 bits per sample. The same samples and
/// settings give the same bytes on every machine.
@safe public final class StillEncoder {
  let settings: StillSettings
  let format: PictureFormat
  let sets: StillParameterSets
  private(set) var coding: PictureCoding

  /// An encoded picture.
  public struct Output: Sendable {
    /// The video, sequence and picture parameter sets, as NAL units.
    public var parameterSets: [[UInt8]]
    /// The NAL unit of the only slice.
    public var slice: [UInt8]
  }

  /// Returns the reason why pictures of a format cannot be encoded; `nil` if they can.
  public static func refusal(of format: PictureFormat) -> String? {
    guard format.chroma == .yuv420 || format.chroma == .monochrome, !format.isRGB,
      format.bitDepth == 8 || format.bitDepth == 10
    else {
      let chroma = format.chroma.name.map(String.init).joined(separator: ":")
      return "is \(chroma) of \(format.bitDepth) bits"
    }
    guard (1...16384).contains(format.width), (1...16384).contains(format.height) else {
      return "has \(format.width) × \(format.height) samples, where 16384 each way are encoded"
    }
    guard format.chroma == .monochrome || (format.width | format.height) & 1 == 0 else {
      return "has an odd side, which 4:2:0 cannot say"
    }
    return nil
  }

  /// Creates an encoder; throws if the format is not supported, or the quantizer is not 0 to 51.
  public init(_ format: PictureFormat, _ settings: StillSettings) throws(MediaError) {
    if let reason = Self.refusal(of: format) { throw MediaError(.unsupported, reason) }
    guard (0...51).contains(settings.qp) else {
      throw MediaError(.misuse, "asks for the quantizer \(settings.qp), where 0 to 51 are known")
    }
    self.settings = settings
    self.format = format
    sets = try StillParameterSets(format, settings)
    unsafe coding = unsafe PictureCoding(format, settings)
  }

  deinit { unsafe coding.deallocate() }

  /// Encodes a picture with the format given at initialization.
  @unsafe public func encode(_ picture: PictureView) throws(MediaError) -> Output {
    guard unsafe picture.format == format else {
      throw MediaError(.misuse, "has another format than its encoder")
    }
    unsafe coding.encode(picture)
    let slice = try unsafe sets.slice(
      qp: settings.qp, cbOffset: coding.cbOffset, coding.bytes)
    return Output(parameterSets: sets.units, slice: slice)
  }
}
