// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

extension ForeignStream {
  /// Passes the properties of a stream to be written to the library.
  @unsafe func describe(
    _ stream: UnsafeMutablePointer<AVStream>, _ library: LibAVFormat
  ) throws(MediaError) {
    if kind == .attachment { return try unsafe describeAttachment(stream, library) }
    guard let known = unsafe library.call.avcodec_descriptor_get_by_name(codec),
      let coded = unsafe stream.pointee.codecpar
    else {
      throw MediaError(.unsupported, "is of a codec that libavcodec has no name for: \(codec)")
    }
    unsafe coded.pointee.codec_id = known.pointee.id
    unsafe coded.pointee.codec_type = known.pointee.type
    unsafe coded.pointee.codec_tag = tag
    try unsafe configure(coded, library)
    unsafe stream.pointee.time_base = AVRational(
      num: Int32(clamping: unit.numerator), den: Int32(clamping: unit.denominator))
    unsafe stream.pointee.disposition = disposition.rawValue
    try unsafe set(tags, in: &stream.pointee.metadata, library)
    switch kind {
    case .video: try unsafe describePictures(stream, coded, library)
    case .audio:
      unsafe coded.pointee.sample_rate = Int32(clamping: sampleRate)
      unsafe library.call.av_channel_layout_default(
        &coded.pointee.ch_layout, Int32(clamping: channels))
      unsafe coded.pointee.frame_size = Int32(clamping: frameSize)
      unsafe coded.pointee.bits_per_coded_sample = Int32(clamping: bitsPerSample)
      unsafe coded.pointee.bits_per_raw_sample = Int32(clamping: bitsPerSample)
      unsafe coded.pointee.block_align = Int32(clamping: blockSize)
      unsafe coded.pointee.initial_padding = Int32(clamping: delay)
    case .subtitle, .data, .attachment: break
    }
  }

  /// Describes a file, which has no codec: its bytes are the configuration, and tags hold its name and type.
  @unsafe private func describeAttachment(
    _ stream: UnsafeMutablePointer<AVStream>, _ library: LibAVFormat
  ) throws(MediaError) {
    guard let coded = unsafe stream.pointee.codecpar else { throw .noMemory("an attachment") }
    unsafe coded.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
    unsafe coded.pointee.codec_id = AV_CODEC_ID_NONE
    try unsafe configure(coded, library)
    try unsafe set(tags, in: &stream.pointee.metadata, library)
  }

  @unsafe private func configure(
    _ coded: UnsafeMutablePointer<AVCodecParameters>, _ library: LibAVFormat
  ) throws(MediaError) {
    guard !configuration.isEmpty else { return }
    let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let size = Int32(exactly: configuration.count),
      let memory = unsafe library.call.av_mallocz(configuration.count + padding)
    else { throw .noMemory("a configuration") }
    unsafe memory.copyMemory(from: configuration, byteCount: configuration.count)
    // Freed with the stream.
    unsafe coded.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    unsafe coded.pointee.extradata_size = size
  }

  @unsafe private func describePictures(
    _ stream: UnsafeMutablePointer<AVStream>, _ coded: UnsafeMutablePointer<AVCodecParameters>,
    _ library: LibAVFormat
  ) throws(MediaError) {
    unsafe coded.pointee.width = Int32(clamping: width)
    unsafe coded.pointee.height = Int32(clamping: height)
    unsafe coded.pointee.bits_per_coded_sample = Int32(clamping: bitsPerSample)
    if let aspect = picture.sampleAspect, let horizontal = Int32(exactly: aspect.horizontal),
      let vertical = Int32(exactly: aspect.vertical), horizontal > 0, vertical > 0
    {
      unsafe stream.pointee.sample_aspect_ratio = AVRational(num: horizontal, den: vertical)
      unsafe coded.pointee.sample_aspect_ratio = AVRational(num: horizontal, den: vertical)
    }
    if let colour = picture.colour {
      unsafe coded.pointee.color_primaries = AVColorPrimaries(UInt32(clamping: colour.primaries))
      unsafe coded.pointee.color_trc = AVColorTransferCharacteristic(
        UInt32(clamping: colour.transfer))
      unsafe coded.pointee.color_space = AVColorSpace(UInt32(clamping: colour.matrix))
      unsafe coded.pointee.color_range = colour.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    }
    switch picture.fields {
    case .progressive: unsafe coded.pointee.field_order = AV_FIELD_PROGRESSIVE
    case .topFirst: unsafe coded.pointee.field_order = AV_FIELD_TT
    case .bottomFirst: unsafe coded.pointee.field_order = AV_FIELD_BB
    case nil: break
    }
    if let display = picture.masteringDisplay {
      try attach(AVMasteringDisplayMetadata(display), AV_PKT_DATA_MASTERING_DISPLAY_METADATA)
    }
    if let light = picture.contentLight {
      let said = AVContentLightMetadata(
        MaxCLL: UInt32(light.maximum), MaxFALL: UInt32(light.maximumAverage))
      try attach(said, AV_PKT_DATA_CONTENT_LIGHT_LEVEL)
    }
    if let vision = picture.dolbyVision {
      try attach(AVDOVIDecoderConfigurationRecord(vision), AV_PKT_DATA_DOVI_CONF)
    }
    if displayMatrix.count == 9 {
      let bytes = unsafe displayMatrix.withUnsafeBytes { unsafe Array($0) }
      try attach(bytes, AV_PKT_DATA_DISPLAYMATRIX)
    }

    func attach<Value: BitwiseCopyable>(_ value: Value, _ type: AVPacketSideDataType)
      throws(MediaError)
    {
      let bytes = unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
      try attach(bytes, type)
    }

    func attach(_ bytes: [UInt8], _ type: AVPacketSideDataType) throws(MediaError) {
      let place = unsafe withUnsafePointer(to: library.call) {
        unsafe apus_new_side_data($0, stream, type, bytes.count)
      }
      guard let place = unsafe place else { throw .noMemory("a track") }
      unsafe UnsafeMutableRawPointer(place).copyMemory(from: bytes, byteCount: bytes.count)
    }
  }
}

extension AVDOVIDecoderConfigurationRecord {
  fileprivate init(_ vision: DolbyVision) {
    self.init()
    (dv_version_major, dv_version_minor) = (vision.versionMajor, vision.versionMinor)
    (dv_profile, dv_level) = (vision.profile, vision.level)
    rpu_present_flag = vision.hasRPUs ? 1 : 0
    el_present_flag = vision.hasEnhancementLayer ? 1 : 0
    bl_present_flag = vision.hasBaseLayer ? 1 : 0
    dv_bl_signal_compatibility_id = vision.compatibility
    unsafe withUnsafeMutablePointer(to: &self) {
      unsafe apus_set_dovi_compression($0, vision.compression)
    }
  }
}

extension AVMasteringDisplayMetadata {
  init(_ display: MasteringDisplay) {
    self.init()
    func pair(_ point: MasteringDisplay.Chromaticity) -> (AVRational, AVRational) {
      (AVRational(num: Int32(point.x), den: 50000), AVRational(num: Int32(point.y), den: 50000))
    }
    display_primaries = (pair(display.red), pair(display.green), pair(display.blue))
    white_point = pair(display.white)
    max_luminance = AVRational(num: Int32(clamping: display.maximumLuminance), den: 10000)
    min_luminance = AVRational(num: Int32(clamping: display.minimumLuminance), den: 10000)
    (has_primaries, has_luminance) = (1, 1)
  }
}
