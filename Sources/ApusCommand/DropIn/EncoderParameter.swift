// SPDX-License-Identifier: MIT

import ApusStills

/// A parameter of an encoder, as libheif names it: `preset=slow`.
enum EncoderParameter: ArgumentValue {
  case quality(Int)
  case lossless(Bool)
  case preset(HEICChoices.Speed)
  case chroma(ChromaChoice)
  /// The only tuning that there is.
  case tunedForSSIM

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    let value = parts[1]
    switch parts[0] {
    case "quality":
      guard let quality = EncodedQuality(argument: value) else { return nil }
      self = .quality(quality.value)
    case "lossless":
      guard let isLossless = ["true": true, "1": true, "false": false, "0": false][value] else {
        return nil
      }
      self = .lossless(isLossless)
    case "preset":
      guard let speed = HEICChoices.Speed(rawValue: value) else { return nil }
      self = .preset(speed)
    case "chroma":
      guard let chroma = ChromaChoice(rawValue: value), chroma != .auto else { return nil }
      self = .chroma(chroma)
    case "tune":
      guard value == "ssim" else { return nil }
      self = .tunedForSSIM
    default: return nil
    }
  }

  static var expected: String {
    "quality=0…100, lossless=true or false, preset=\(HEICChoices.Speed.medium.rawValue) or another of x265, "
      + "chroma=420, 422 or 444, or tune=ssim; other parameters are not set here"
  }

  var argument: String {
    switch self {
    case .quality(let value): "quality=\(value)"
    case .lossless(let isLossless): "lossless=\(isLossless)"
    case .preset(let speed): "preset=\(speed.rawValue)"
    case .chroma(let chroma): "chroma=\(chroma.rawValue)"
    case .tunedForSSIM: "tune=ssim"
    }
  }

  func apply(to options: inout ConvertOptions) {
    switch self {
    case .quality(let value): options.quality = value
    case .lossless(let isLossless): options.heic.isLossless = isLossless
    case .preset(let speed): options.heic.speed = speed
    case .chroma(let chroma): options.chroma = chroma
    case .tunedForSSIM: break
    }
  }

  static var list: String {
    let speeds = HEICChoices.Speed.allCases.map(\.rawValue).joined(separator: ",")
    return """
      Parameters of the encoder:
        quality, default=50, [0;100]
        lossless, default=false
        preset, default=medium, { \(speeds) }
        tune, default=ssim, { ssim }
        chroma, default=420, { 420,422,444 }

      """
  }
}

/// Quality as `heif-enc` counts it.
struct EncodedQuality: ArgumentValue {
  /// A number from 1 on: there is no 0.
  private(set) var value = 50

  init() {}

  init?(argument: String) {
    guard let value = Int(argument: argument), (0...100).contains(value) else { return nil }
    self.value = max(value, 1)
  }

  static var expected: String { "a whole number from 0 to 100" }
  var argument: String { String(value) }
}

/// An encoder, as libheif's programs call it.
enum EncoderID: String, CaseIterable, ArgumentValue {
  case x265, apus

  var choice: EncoderChoice { self == .x265 ? .x265 : .own }

  static var list: String {
    """
    HEIC encoders:
    - x265 = x265 HEVC encoder, where libx265 is installed [default]
    - apus = Apus HEVC intra encoder, version \(About.version)

    """
  }
}

/// A code point of H.273.
struct CodePoint: ArgumentValue {
  let number: UInt16

  init?(argument: String) {
    guard let number = Int(argument: argument).flatMap(UInt16.init(exactly:)) else { return nil }
    self.number = number
  }

  static var expected: String { "a code point of H.273" }
  var argument: String { String(number) }
}
