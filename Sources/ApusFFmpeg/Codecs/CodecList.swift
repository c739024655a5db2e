// SPDX-License-Identifier: MIT

internal import ApusLoader
public import ApusMedia
internal import CApusFFmpeg

/// The encoders and decoders of pictures and sound that this libavcodec was built with, whether or not their devices
/// exist.
public struct CodecList: Sendable {
  let call: apus_codecs
  let library: LibAV

  private static let functions = unsafe DynamicLibrary<apus_codecs>(
    LibAV.file, String(cString: apus_codecs_names))

  /// Loads libavcodec; throws `.missing` if it is not installed or lacks a function.
  public init() throws(MediaError) {
    library = try LibAV.load()
    do throws(LibraryError) { call = try Self.functions.table() } catch {
      throw MediaError(.missing, "libavcodec lacks something: \(error.reason)")
    }
  }

  /// The name of the library with its version, such as `libavcodec 59.37.100`.
  public var version: String { "libavcodec \(library.version)" }

  /// - Parameters:
  ///   - codecs: the library's names of codecs, `hevc`, `h264`; `nil` for all.
  ///   - ids: the names of encoders and decoders: `libx264`; empty for all.
  public func codecs(
    _ role: CodecFacts.Role, of codecs: Set<String>? = nil, named ids: Set<String> = []
  ) -> [CodecFacts] {
    var state: UnsafeMutableRawPointer?
    var result: [CodecFacts] = []
    while let codec = unsafe call.av_codec_iterate(&state) {
      guard unsafe (call.av_codec_is_encoder(codec) != 0) == (role == .encoder),
        let medium = unsafe Self.medium(codec.pointee.type),
        let name = unsafe call.avcodec_get_name(codec.pointee.id)
      else { continue }
      let codecName = unsafe String(cString: name)
      guard codecs?.contains(codecName) ?? true,
        unsafe ids.isEmpty || ids.contains(String(cString: codec.pointee.name))
      else { continue }
      unsafe result.append(facts(of: codec, role, codecName, medium))
    }
    return result
  }

  private static func medium(_ type: AVMediaType) -> CodecFacts.Medium? {
    switch type {
    case AVMEDIA_TYPE_VIDEO: .pictures
    case AVMEDIA_TYPE_AUDIO: .sound
    default: nil
    }
  }

  @unsafe private func facts(
    of codec: UnsafePointer<AVCodec>, _ role: CodecFacts.Role, _ name: String,
    _ medium: CodecFacts.Medium
  ) -> CodecFacts {
    let read = unsafe codec.pointee
    var facts = unsafe CodecFacts(
      role, String(cString: read.name), codec: name, medium, library: version)
    facts.purpose = unsafe read.long_name.map { unsafe String(cString: $0) } ?? ""
    facts.device = unsafe device(of: codec, role)
    // Decoders that can use devices also work without them.
    facts.isHardware =
      unsafe UInt32(bitPattern: read.capabilities) & apus_codec_hardware != 0
      || !facts.device.isEmpty
    // OpenMAX uses devices, but does not declare it.
    if facts.id.hasSuffix("_omx") { facts.isHardware = true }
    facts.isExperimental = unsafe read.capabilities & AV_CODEC_CAP_EXPERIMENTAL != 0
    facts.options = unsafe OptionList(call, read.priv_class, role).options
    facts.commonOptions =
      unsafe OptionList(call, call.avcodec_get_class(), role, medium).options
    facts.samples = unsafe samples(library.pixelFormats(of: codec))
    facts.sampleFormats = unsafe sampleFormats(library.sampleFormats(of: codec))
    facts.sampleRates = unsafe rates(library.sampleRates(of: codec))
    facts.channelLayouts = unsafe layouts(library.channelLayouts(of: codec))
    facts.profiles = unsafe profiles(read, facts)
    // It takes profiles as text, and libavcodec has no list of them.
    if role == .encoder, facts.id == "libx264" { X264Profiles.add(to: &facts) }
    return facts
  }

  @unsafe private func samples(_ list: UnsafePointer<AVPixelFormat>?) -> [CodecFacts.Samples] {
    guard var format = unsafe list else { return [] }
    var result: [CodecFacts.Samples] = []
    while unsafe format.pointee != AV_PIX_FMT_NONE {
      if let description = unsafe library.call.av_pix_fmt_desc_get(format.pointee) {
        unsafe result.append(Self.samples(description.pointee))
      }
      unsafe format += 1
    }
    return result
  }

  @unsafe private static func samples(_ said: AVPixFmtDescriptor) -> CodecFacts.Samples {
    let isDevice = unsafe said.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) != 0
    let isRGB = unsafe said.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
    let chroma: Chroma? =
      switch unsafe (said.nb_components, said.log2_chroma_w, said.log2_chroma_h) {
      case (1, _, _): .monochrome
      case (3, 1, 1): .yuv420
      case (3, 1, 0): .yuv422
      case (3, 0, 0) where !isRGB: .yuv444
      default: nil
      }
    return unsafe CodecFacts.Samples(
      String(cString: said.name), bitDepth: isDevice ? 0 : Int(said.comp.0.depth),
      chroma: isDevice ? nil : chroma)
  }

  @unsafe private func sampleFormats(_ list: UnsafePointer<AVSampleFormat>?) -> [String] {
    guard var format = unsafe list else { return [] }
    var result: [String] = []
    while unsafe format.pointee != AV_SAMPLE_FMT_NONE {
      if let name = unsafe library.call.av_get_sample_fmt_name(format.pointee) {
        unsafe result.append(String(cString: name))
      }
      unsafe format += 1
    }
    return result
  }

  @unsafe private func rates(_ list: UnsafePointer<Int32>?) -> [Int] {
    guard var rate = unsafe list else { return [] }
    var result: [Int] = []
    while unsafe rate.pointee != 0 {
      unsafe result.append(Int(rate.pointee))
      unsafe rate += 1
    }
    return result.sorted()
  }

  @unsafe private func layouts(_ list: UnsafePointer<AVChannelLayout>?) -> [String] {
    guard var layout = unsafe list else { return [] }
    var result: [String] = []
    while unsafe layout.pointee.nb_channels > 0 {
      unsafe result.append(library.name(of: layout))
      unsafe layout += 1
    }
    return result
  }

  /// Returns the profiles of the encoder's own option, or of the library's list.
  @unsafe private func profiles(_ read: AVCodec, _ facts: CodecFacts) -> [String] {
    if let option = facts.options.first(where: { $0.name == "profile" }), !option.choices.isEmpty {
      return option.choices
    }
    guard var profile = unsafe read.profiles else { return [] }
    var result: [String] = []
    while unsafe profile.pointee.profile != apus_no_profile {
      unsafe result.append(String(cString: profile.pointee.name))
      unsafe profile += 1
    }
    return result
  }
}

extension CodecList {
  /// Returns the kind of device that a codec requires; empty for none.
  @unsafe func device(of codec: UnsafePointer<AVCodec>, _ role: CodecFacts.Role) -> String {
    let native = unsafe UInt32(bitPattern: codec.pointee.capabilities) & apus_codec_hardware
    if role == .decoder, native == 0 { return "" }
    var index: Int32 = 0
    while let way = unsafe call.avcodec_get_hw_config(codec, index) {
      let type = unsafe way.pointee.device_type
      if type != AV_HWDEVICE_TYPE_NONE, let name = unsafe call.av_hwdevice_get_type_name(type) {
        return unsafe String(cString: name)
      }
      index += 1
    }
    return ""
  }
}
