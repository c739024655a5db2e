// SPDX-License-Identifier: MIT

import Media
import Video

extension TranscodePreset: ArgumentValue {}
extension AudioSettings.Codec: ArgumentValue {}

/// `hevc,h264`.
struct CodecList: ArgumentValue {
  let codecs: [VideoSettings.Codec]

  init?(argument: String) {
    var codecs: [VideoSettings.Codec] = []
    for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let codec = VideoSettings.Codec(rawValue: String(name)), !codecs.contains(codec) else {
        return nil
      }
      codecs.append(codec)
    }
    guard !codecs.isEmpty, codecs == [.copy] || !codecs.contains(.copy) else { return nil }
    self.codecs = codecs
  }

  static var expected: String { "hevc, h264, both with a comma between, or copy" }
  var argument: String { codecs.map(\.rawValue).joined(separator: ",") }
}

/// `main`, and what it means for the pictures.
enum ProfileChoice: String, ArgumentValue, CaseIterable {
  case main, main10
  case mainStill = "main-still"
  case high, high10

  func apply(to video: inout VideoSettings) {
    video.profile = self == .mainStill ? "mainstillpicture" : rawValue
    video.bitDepth = self == .main10 || self == .high10 ? 10 : 8
    video.chroma = .yuv420
    if self == .mainStill {
      video.mostPictures = 1
      video.x265Parameters += [.init("total-frames", "1"), .init("keyint", "1")]
    }
  }
}

/// `23.5`.
struct DecimalNumber: ArgumentValue {
  let value: Double

  init?(argument: String) {
    guard let value = Double(argument), value.isFinite, (0...63).contains(value) else { return nil }
    self.value = value
  }

  static var expected: String { "a number from 0 to 63" }
  var argument: String { "\(value)" }
}

/// `2500k`, `8M`, or bits.
struct BitRate: ArgumentValue {
  let value: Int

  init?(argument: String) {
    let units: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "m": 1e6]
    let unit = argument.last.flatMap { units[$0] }
    guard let number = Double(unit == nil ? argument[...] : argument.dropLast()) else { return nil }
    let bits = number * (unit ?? 1)
    guard bits.isFinite, bits >= 1000, bits <= 2e9 else { return nil }
    value = Int(bits.rounded())
  }

  static var expected: String { "bits a second from 1000 on, such as 2500k or 8M" }
  var argument: String { "\(value)" }
}

/// `250` pictures, or `2s`.
enum GroupLength: ArgumentValue {
  case pictures(Int)
  case milliseconds(Int64)

  init?(argument: String) {
    if argument.last == "s" {
      guard let seconds = Double(argument.dropLast()), (0.001...3600).contains(seconds) else {
        return nil
      }
      self = .milliseconds(Int64((seconds * 1000).rounded()))
    } else {
      guard let count = Int(argument), (0...1_000_000).contains(count) else { return nil }
      self = .pictures(count)
    }
  }

  static var expected: String { "a number of pictures such as 250, or seconds such as 2s" }
  var argument: String {
    switch self {
    case .pictures(let count): "\(count)"
    case .milliseconds(let length): "\(Double(length) / 1000)s"
    }
  }
}

/// `1920x1080`.
struct FrameSize: ArgumentValue {
  let width: Int
  let height: Int

  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (16...16384).contains(width), (16...16384).contains(height)
    else { return nil }
    (self.width, self.height) = (width, height)
  }

  static var expected: String { "width and height from 16 to 16384, such as 1920x1080" }
  var argument: String { "\(width)x\(height)" }
}

/// `1280x720+320+180`.
struct CropArea: ArgumentValue {
  let rect: PixelRect

  init?(argument: String) {
    let parts = argument.split(separator: "+", omittingEmptySubsequences: false)
    guard parts.count == 3, let size = FrameSize(argument: String(parts[0])), let x = Int(parts[1]),
      let y = Int(parts[2]), (0...65535).contains(x), (0...65535).contains(y)
    else { return nil }
    rect = PixelRect(x: x, y: y, width: size.width, height: size.height)
  }

  static var expected: String { "size and place, such as 1280x720+320+180" }
  var argument: String { "\(rect.width)x\(rect.height)+\(rect.x)+\(rect.y)" }
}

/// `aq-mode=3:no-sao`, as x265 and x264 take it.
struct EncoderWords: ArgumentValue {
  let parameters: [VideoSettings.Parameter]

  init?(argument: String) {
    var parameters: [VideoSettings.Parameter] = []
    for part in argument.split(separator: ":", omittingEmptySubsequences: false) {
      let name = part.prefix { $0 != "=" }
      guard !name.isEmpty else { return nil }
      let value = part == name ? "1" : String(part.dropFirst(name.count + 1))
      parameters.append(.init(String(name), value))
    }
    self.parameters = parameters
  }

  static var expected: String { "names and values, such as aq-mode=3:no-sao=1" }
  var argument: String { parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ":") }
}
