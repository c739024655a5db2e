// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

extension LibAV {
  /// Returns the interpretation of a frame's samples.
  @unsafe func traits(of frame: UnsafePointer<AVFrame>) -> PictureTraits {
    var traits = PictureTraits()
    let colour = unsafe ColourDescription(
      primaries: Int(frame.pointee.color_primaries.rawValue),
      transfer: Int(frame.pointee.color_trc.rawValue),
      matrix: Int(frame.pointee.colorspace.rawValue),
      isFullRange: isFullRange(frame))
    if unsafe colour.isSpecified || frame.pointee.color_range != AVCOL_RANGE_UNSPECIFIED {
      traits.colour = colour
    }
    let aspect = unsafe frame.pointee.sample_aspect_ratio
    if aspect.num > 0, aspect.den > 0 {
      traits.sampleAspect = SampleAspect(Int(aspect.num), Int(aspect.den))
    }
    traits.masteringDisplay = unsafe masteringDisplay(of: frame)
    traits.contentLight = unsafe contentLight(of: frame)
    traits.fields =
      unsafe !apus_has_fields(frame)
      ? .progressive : apus_is_top_first(frame) ? .topFirst : .bottomFirst
    return traits
  }

  @unsafe private func isFullRange(_ frame: UnsafePointer<AVFrame>) -> Bool {
    if unsafe frame.pointee.color_range == AVCOL_RANGE_JPEG { return true }
    switch unsafe AVPixelFormat(frame.pointee.format) {
    case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P:
      return true
    default: return false
    }
  }

  /// Sets the traits that a frame lacks. If two aspects differ, that of the container is used, as everywhere.
  @unsafe func stamp(
    _ traits: PictureTraits, on frame: UnsafeMutablePointer<AVFrame>
  ) throws(MediaError) {
    if let colour = traits.colour { unsafe stamp(colour, on: frame) }
    if let aspect = traits.sampleAspect, let horizontal = Int32(exactly: aspect.horizontal),
      let vertical = Int32(exactly: aspect.vertical), horizontal > 0, vertical > 0
    {
      unsafe frame.pointee.sample_aspect_ratio = AVRational(num: horizontal, den: vertical)
    }
    if let display = traits.masteringDisplay { try unsafe stamp(display, on: frame) }
    if let light = traits.contentLight { try unsafe stamp(light, on: frame) }
    if let fields = traits.fields, fields != .progressive, unsafe !apus_has_fields(frame) {
      unsafe apus_set_fields(frame, fields == .topFirst)
    }
  }

  @unsafe private func stamp(
    _ colour: ColourDescription, on frame: UnsafeMutablePointer<AVFrame>
  ) {
    if unsafe frame.pointee.color_primaries == AVCOL_PRI_UNSPECIFIED {
      unsafe frame.pointee.color_primaries = AVColorPrimaries(UInt32(clamping: colour.primaries))
    }
    if unsafe frame.pointee.color_trc == AVCOL_TRC_UNSPECIFIED {
      unsafe frame.pointee.color_trc = AVColorTransferCharacteristic(
        UInt32(clamping: colour.transfer))
    }
    if unsafe frame.pointee.colorspace == AVCOL_SPC_UNSPECIFIED {
      unsafe frame.pointee.colorspace = AVColorSpace(UInt32(clamping: colour.matrix))
    }
    if unsafe frame.pointee.color_range == AVCOL_RANGE_UNSPECIFIED {
      unsafe frame.pointee.color_range = colour.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    }
  }
}

extension ColourDescription {
  /// Whether any code point is specified.
  var isSpecified: Bool { primaries != 2 || transfer != 2 || matrix != 2 }
}
