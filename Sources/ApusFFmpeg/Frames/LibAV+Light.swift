// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// The intended brightness of pictures, stored as side data of frames.
extension LibAV {
  @unsafe func masteringDisplay(of frame: UnsafePointer<AVFrame>) -> MasteringDisplay? {
    guard
      let data = unsafe call.av_frame_get_side_data(
        frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA),
      unsafe data.pointee.size >= MemoryLayout<AVMasteringDisplayMetadata>.size,
      let bytes = unsafe data.pointee.data
    else { return nil }
    let display = unsafe UnsafeRawPointer(bytes).loadUnaligned(as: AVMasteringDisplayMetadata.self)
    guard display.has_primaries != 0, display.has_luminance != 0 else { return nil }
    let primaries = display.display_primaries
    return MasteringDisplay(
      red: chromaticity(primaries.0), green: chromaticity(primaries.1),
      blue: chromaticity(primaries.2), white: chromaticity(display.white_point),
      maximumLuminance: UInt32(clamping: Self.units(display.max_luminance, per: 10000)),
      minimumLuminance: UInt32(clamping: Self.units(display.min_luminance, per: 10000)))
  }

  private func chromaticity(_ pair: (AVRational, AVRational)) -> MasteringDisplay.Chromaticity {
    MasteringDisplay.Chromaticity(
      UInt16(clamping: Self.units(pair.0, per: 50000)),
      UInt16(clamping: Self.units(pair.1, per: 50000)))
  }

  private static func units(_ value: AVRational, per unit: Int64) -> Int64 {
    guard value.den > 0 else { return 0 }
    return (Int64(value.num) * unit + Int64(value.den) / 2) / Int64(value.den)
  }

  @unsafe func contentLight(of frame: UnsafePointer<AVFrame>) -> ContentLight? {
    guard
      let data = unsafe call.av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL),
      unsafe data.pointee.size >= MemoryLayout<AVContentLightMetadata>.size,
      let bytes = unsafe data.pointee.data
    else { return nil }
    let light = unsafe UnsafeRawPointer(bytes).loadUnaligned(as: AVContentLightMetadata.self)
    return ContentLight(
      maximum: UInt16(clamping: light.MaxCLL), maximumAverage: UInt16(clamping: light.MaxFALL))
  }

  /// Sets the mastering display, unless the frame has one.
  @unsafe func stamp(
    _ display: MasteringDisplay, on frame: UnsafeMutablePointer<AVFrame>
  ) throws(MediaError) {
    guard
      unsafe call.av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA) == nil
    else { return }
    guard let data = unsafe call.av_mastering_display_metadata_create_side_data(frame) else {
      throw .noMemory("a picture")
    }
    unsafe data.pointee = AVMasteringDisplayMetadata(display)
  }

  /// Sets the light levels, unless the frame has them.
  @unsafe func stamp(
    _ light: ContentLight, on frame: UnsafeMutablePointer<AVFrame>
  ) throws(MediaError) {
    guard unsafe call.av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL) == nil
    else { return }
    guard let data = unsafe call.av_content_light_metadata_create_side_data(frame) else {
      throw .noMemory("a picture")
    }
    unsafe data.pointee.MaxCLL = UInt32(light.maximum)
    unsafe data.pointee.MaxFALL = UInt32(light.maximumAverage)
  }
}
