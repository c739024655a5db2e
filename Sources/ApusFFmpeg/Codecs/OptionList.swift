// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// The options of an FFmpeg class that apply to encoding or to decoding.
struct OptionList {
  private(set) var options: [CodecOption] = []

  /// - Parameter medium: the kind of media that options must apply to; `nil` for a codec's own, not all of which
  ///   declare it.
  @unsafe init(
    _ call: apus_codecs, _ type: UnsafePointer<AVClass>?, _ role: CodecFacts.Role,
    _ medium: CodecFacts.Medium? = nil
  ) {
    var table = call
    var units: [(unit: String, index: Int)] = []
    var constants: [(unit: String, name: String, value: Int64)] = []
    var last: UnsafePointer<AVOption>?
    while let option = unsafe apus_next_option(&table, type, last) {
      unsafe last = option
      let said = unsafe option.pointee
      let unit = unsafe said.unit.map { unsafe String(cString: $0) } ?? ""
      if unsafe said.type == AV_OPT_TYPE_CONST {
        unsafe constants.append((unit, String(cString: said.name), said.default_val.i64))
        continue
      }
      guard unsafe Self.isWanted(said, role, medium) else { continue }
      if !unit.isEmpty { units.append((unit, options.count)) }
      unsafe options.append(Self.option(said))
    }
    for (unit, index) in units {
      let named = constants.filter { $0.unit == unit }
      options[index].choices = named.map(\.name)
      guard !named.isEmpty, options[index].kind == .integer else { continue }
      options[index].kind = .choice
      if let standard = options[index].standard,
        let word = named.first(where: { String($0.value) == standard })
      {
        options[index].standard = word.name
      }
    }
  }

  @unsafe private static func isWanted(
    _ said: AVOption, _ role: CodecFacts.Role, _ medium: CodecFacts.Medium?
  ) -> Bool {
    let flags = unsafe said.flags
    guard flags & (AV_OPT_FLAG_DEPRECATED | AV_OPT_FLAG_READONLY) == 0 else { return false }
    var needed = role == .encoder ? AV_OPT_FLAG_ENCODING_PARAM : AV_OPT_FLAG_DECODING_PARAM
    switch medium {
    case .pictures: needed |= AV_OPT_FLAG_VIDEO_PARAM
    case .sound: needed |= AV_OPT_FLAG_AUDIO_PARAM
    case nil: break
    }
    return flags & needed == needed
  }

  @unsafe private static func option(_ said: AVOption) -> CodecOption {
    let name = unsafe String(cString: said.name)
    let purpose = unsafe said.help.map { unsafe String(cString: $0) } ?? ""
    var option = CodecOption(name, .other, purpose: purpose)
    switch unsafe said.type {
    case AV_OPT_TYPE_BOOL:
      option.kind = .flag
      // -1 leaves it to the encoder.
      let value = unsafe said.default_val.i64
      option.standard = value < 0 ? nil : value == 0 ? "false" : "true"
    case let type where isWhole(type):
      option.kind = .integer
      option.standard = unsafe String(said.default_val.i64)
      (option.least, option.greatest) = unsafe (whole(said.min), whole(said.max))
    case AV_OPT_TYPE_FLAGS:
      option.kind = .flags
      option.standard = unsafe String(said.default_val.i64)
    case AV_OPT_TYPE_DOUBLE, AV_OPT_TYPE_FLOAT:
      option.kind = .number
      option.standard = unsafe number(said.default_val.dbl)
      (option.least, option.greatest) = unsafe (number(said.min), number(said.max))
    case AV_OPT_TYPE_RATIONAL, AV_OPT_TYPE_VIDEO_RATE:
      option.kind = .fraction
      if unsafe said.type == AV_OPT_TYPE_RATIONAL {
        option.standard = unsafe number(said.default_val.dbl)
      }
    case AV_OPT_TYPE_DURATION: option.kind = .duration
    case AV_OPT_TYPE_STRING, AV_OPT_TYPE_DICT, AV_OPT_TYPE_COLOR, AV_OPT_TYPE_IMAGE_SIZE:
      option.kind = .text
      option.standard = unsafe said.default_val.str.map { unsafe String(cString: $0) }
    default: break
    }
    return option
  }

  private static func isWhole(_ type: AVOptionType) -> Bool {
    type == AV_OPT_TYPE_INT || type == AV_OPT_TYPE_INT64 || apus_is_unsigned(type)
  }

  /// Returns `nil` for bounds that only reflect the size of the number type.
  private static func whole(_ bound: Double) -> String? {
    guard bound.magnitude < Double(Int32.max) - 1 else { return nil }
    return String(Int64(bound))
  }

  private static func number(_ value: Double) -> String? {
    guard value.isFinite, value.magnitude < Double(Int32.max) - 1 else { return nil }
    return value == value.rounded() ? String(Int64(value)) : String(Float(value))
  }
}
