// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

extension ForeignStream {
  @unsafe init(_ stream: UnsafeMutablePointer<AVStream>, _ library: LibAVFormat) {
    let said = unsafe stream.pointee
    let coded = unsafe said.codecpar.pointee
    kind =
      switch unsafe coded.codec_type {
      case AVMEDIA_TYPE_VIDEO: .video
      case AVMEDIA_TYPE_AUDIO: .audio
      case AVMEDIA_TYPE_SUBTITLE: .subtitle
      case AVMEDIA_TYPE_ATTACHMENT: .attachment
      default: .data
      }
    codec =
      unsafe coded.codec_id == AV_CODEC_ID_NONE
      ? "none"
      : unsafe library.call.avcodec_get_name(coded.codec_id).map { unsafe String(cString: $0) }
        ?? "none"
    configuration = unsafe Array(
      UnsafeBufferPointer(start: coded.extradata, count: Int(max(coded.extradata_size, 0))))
    tag = unsafe coded.codec_tag
    unit = unsafe Fraction(Int(said.time_base.num), Int(said.time_base.den))
    timeBits = unsafe Int(said.pts_wrap_bits)
    firstTime = unsafe said.start_time == apus_no_time ? nil : said.start_time
    tags = unsafe ForeignDetails.tags(said.metadata, library)
    disposition = unsafe Disposition(rawValue: said.disposition)
    let cover = unsafe said.attached_pic
    if configuration.isEmpty, disposition.contains(.cover), unsafe cover.size > 0 {
      configuration = unsafe Array(UnsafeBufferPointer(start: cover.data, count: Int(cover.size)))
    }
    profile = unsafe coded.profile >= 0 ? Int(coded.profile) : nil
    switch kind {
    case .video:
      var count: Int32 = 0
      let sides = unsafe apus_side_data(stream, &count)
      unsafe describePictures(
        said, coded, UnsafeBufferPointer(start: sides, count: Int(max(count, 0))), library)
    case .audio:
      sampleRate = unsafe Int(max(coded.sample_rate, 0))
      channels = unsafe Int(max(coded.ch_layout.nb_channels, 0))
      frameSize = unsafe Int(max(coded.frame_size, 0))
      bitsPerSample = unsafe Int(max(coded.bits_per_coded_sample, 0))
      blockSize = unsafe Int(max(coded.block_align, 0))
    case .subtitle, .data, .attachment: break
    }
  }

  @unsafe private mutating func describePictures(
    _ said: AVStream, _ coded: AVCodecParameters,
    _ sides: UnsafeBufferPointer<AVPacketSideData>, _ library: LibAVFormat
  ) {
    width = unsafe Int(max(coded.width, 0))
    height = unsafe Int(max(coded.height, 0))
    reorderDepth = unsafe Int(max(coded.video_delay, 0))
    bitsPerSample = unsafe Int(max(coded.bits_per_coded_sample, 0))
    for rate in unsafe [said.avg_frame_rate, said.r_frame_rate]
    where frameRate == nil && rate.num > 0 && rate.den > 0 {
      frameRate = Fraction(Int(rate.num), Int(rate.den))
    }
    let aspects = unsafe [said.sample_aspect_ratio, coded.sample_aspect_ratio]
    if let aspect = aspects.first(where: { $0.num > 0 && $0.den > 0 }) {
      picture.sampleAspect = SampleAspect(Int(aspect.num), Int(aspect.den))
    }
    let colour = unsafe ColourDescription(
      primaries: Int(coded.color_primaries.rawValue), transfer: Int(coded.color_trc.rawValue),
      matrix: Int(coded.color_space.rawValue), isFullRange: coded.color_range == AVCOL_RANGE_JPEG)
    let isNamed = colour.primaries != 2 || colour.transfer != 2 || colour.matrix != 2
    if unsafe isNamed || coded.color_range != AVCOL_RANGE_UNSPECIFIED { picture.colour = colour }
    switch unsafe coded.field_order {
    case AV_FIELD_PROGRESSIVE: picture.fields = .progressive
    case AV_FIELD_TT, AV_FIELD_BT: picture.fields = .topFirst
    case AV_FIELD_BB, AV_FIELD_TB: picture.fields = .bottomFirst
    default: break
    }
    if let format = unsafe library.call.av_pix_fmt_desc_get(AVPixelFormat(coded.format)) {
      bitDepth = unsafe Int(format.pointee.comp.0.depth)
      chromaShift = unsafe (Int(format.pointee.log2_chroma_w), Int(format.pointee.log2_chroma_h))
    }
    for index in sides.indices {
      unsafe readSideData(sides[index])
    }
  }

  @unsafe private mutating func readSideData(_ side: AVPacketSideData) {
    guard let data = unsafe side.data else { return }
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: side.size)
    switch unsafe side.type {
    case AV_PKT_DATA_DISPLAYMATRIX where bytes.count >= 36:
      displayMatrix = (0..<9).map { index in
        unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
      }
    case AV_PKT_DATA_MASTERING_DISPLAY_METADATA
    where bytes.count >= MemoryLayout<AVMasteringDisplayMetadata>.size:
      picture.masteringDisplay = unsafe MasteringDisplay(
        bytes.loadUnaligned(as: AVMasteringDisplayMetadata.self))
    case AV_PKT_DATA_CONTENT_LIGHT_LEVEL
    where bytes.count >= MemoryLayout<AVContentLightMetadata>.size:
      let light = unsafe bytes.loadUnaligned(as: AVContentLightMetadata.self)
      picture.contentLight = ContentLight(
        maximum: UInt16(clamping: light.MaxCLL), maximumAverage: UInt16(clamping: light.MaxFALL))
    case AV_PKT_DATA_DOVI_CONF
    where bytes.count >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size:
      picture.dolbyVision = unsafe DolbyVision(
        bytes.loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self))
    default: break
    }
  }
}

extension DolbyVision {
  fileprivate init(_ said: AVDOVIDecoderConfigurationRecord) {
    self.init(profile: said.dv_profile, level: said.dv_level)
    (versionMajor, versionMinor) = (said.dv_version_major, said.dv_version_minor)
    (hasRPUs, hasEnhancementLayer) = (said.rpu_present_flag != 0, said.el_present_flag != 0)
    (hasBaseLayer, compatibility) = (said.bl_present_flag != 0, said.dv_bl_signal_compatibility_id)
    compression = unsafe withUnsafePointer(to: said) { unsafe apus_dovi_compression($0) }
  }
}

extension MasteringDisplay {
  /// Returns `nil` unless it contains both colours and luminances.
  fileprivate init?(_ said: AVMasteringDisplayMetadata) {
    guard said.has_primaries != 0, said.has_luminance != 0 else { return nil }
    func units(_ value: AVRational, per unit: Int64) -> Int64 {
      guard value.den > 0, value.num >= 0 else { return 0 }
      return (Int64(value.num) * unit + Int64(value.den) / 2) / Int64(value.den)
    }
    func point(_ pair: (AVRational, AVRational)) -> Chromaticity {
      Chromaticity(
        UInt16(clamping: units(pair.0, per: 50000)), UInt16(clamping: units(pair.1, per: 50000)))
    }
    let primaries = said.display_primaries
    self.init(
      red: point(primaries.0), green: point(primaries.1), blue: point(primaries.2),
      white: point(said.white_point),
      maximumLuminance: UInt32(clamping: units(said.max_luminance, per: 10000)),
      minimumLuminance: UInt32(clamping: units(said.min_luminance, per: 10000)))
  }
}
