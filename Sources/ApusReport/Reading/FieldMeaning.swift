// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFacts
internal import HEVC

/// The meaning of raw values: times in seconds, names of levels and profiles, counts stored minus one.
struct FieldMeaning {
  /// The time units per second of the movie and of the track; 0 if unknown.
  var movieTimescale: UInt32 = 0
  var mediaTimescale: UInt32 = 0
  /// The type of the box, or of the NAL unit.
  var type = ""

  func callAsFunction(_ field: Field) -> String? {
    switch field.value {
    case .number(let number):
      return time(Double(number), field.name) ?? meaning(of: number, field.name)
    case .signed(let number): return time(Double(number), field.name)
    default: return nil
    }
  }

  private func time(_ value: Double, _ name: String) -> String? {
    let scale: UInt32
    switch (type, name) {
    case ("mvhd", "duration"), ("tkhd", "duration"), ("elst", "segment_duration"),
      ("mehd", "fragment_duration"):
      scale = movieTimescale
    case ("mdhd", "duration"), ("stts", "sample_delta"), ("ctts", "sample_offset"),
      ("elst", "media_time"), ("tfdt", "baseMediaDecodeTime"), ("trun", "sample_duration"),
      ("trun", "sample_composition_time_offset"),
      ("tfhd", "default_sample_duration"), ("trex", "default_sample_duration"):
      scale = mediaTimescale
    default: return nil
    }
    guard scale > 0, abs(value) < 4e18 else { return nil }
    if value < 0 {
      return type == "elst" ? "nothing is shown" : "-" + Quantity.time(-value / Double(scale))
    }
    return Quantity.time(value / Double(scale))
  }

  private func meaning(of number: UInt64, _ name: String) -> String? {
    switch name {
    case "general_level_idc": return "level \((Double(number) / 30).decimal(places: 0...1))"
    case "general_profile_idc": return Self.profiles[number]
    case "general_tier_flag": return number == 0 ? "Main tier" : "High tier"
    case "chromaFormat", "chroma_format_idc", "chroma_format":
      return number < 4 ? ["4:0:0", "4:2:0", "4:2:2", "4:4:4"][Int(number)] : nil
    case "bitDepthLumaMinus8", "bit_depth_luma_minus8", "bitDepthChromaMinus8",
      "bit_depth_chroma_minus8":
      return "\(number &+ 8) bits"
    case "lengthSizeMinusOne": return "\(number &+ 1) bytes"
    case "nal_unit_type":
      return number < 64 ? NALUnitType(fieldBits: number).name : nil
    case "NAL_unit_type": return number < 64 ? NALUnitType(fieldBits: number).name : nil
    case "slice_type": return number < 3 ? ["B", "P", "I"][Int(number)] : nil
    case "colour_primaries": return number <= 65535 ? ColourName.primaries(UInt16(number)) : nil
    case "transfer_characteristics":
      return number <= 65535 ? ColourName.transfer(UInt16(number)) : nil
    case "matrix_coefficients", "matrix_coeffs":
      return number <= 65535 ? ColourName.matrix(UInt16(number)) : nil
    case "angle" where type == "irot":
      return number == 0 ? "as stored" : "\(360 - Int(number & 3) * 90)° clockwise"
    case "axis" where type == "imir": return number == 0 ? "top and bottom" : "left and right"
    case "media_data_offset", "chunk_offset", "base_offset": return hexadecimal(number)
    case "AVCLevelIndication", "level_idc":
      return "level \((Double(number) / 10).decimal(places: 0...1))"
    default:
      guard name.hasSuffix("_minus1") || name.hasSuffix("_minus_one"), number < 1 << 32 else {
        return nil
      }
      return "\(number + 1)"
    }
  }

  private func hexadecimal(_ number: UInt64) -> String? {
    number > 9 ? "0x" + number.hexadecimal() : nil
  }

  private static let profiles: [UInt64: String] = [
    1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Range extensions",
    5: "High throughput", 6: "Multiview", 7: "Scalable", 8: "3D", 9: "Screen content",
  ]
}
