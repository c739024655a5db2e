// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia

/// A request to decode a picture. The bytes of its samples follow the message.
struct DecodeRequest: SyntaxStructure {
  private(set) var isStrict = true
  private var codecName = FrameText()
  private var configuration: [UInt8] = []
  private var pixelLimit: UInt64 = 0
  private var threadCount: UInt32 = 1
  private var sizes: [UInt64] = []

  private static let itemPrefix = "item "

  init() {}

  init(_ picture: CodedPicture, isStrict: Bool, threads: Int) throws(MediaError) {
    self.isStrict = isStrict
    codecName = FrameText(try Self.name(of: picture.codec))
    configuration = picture.configuration
    pixelLimit = UInt64(clamping: picture.pixelLimit)
    threadCount = UInt32(clamping: threads)
    sizes = picture.samples.map { UInt64($0.count) }
  }

  var threads: Int { Int(threadCount) }

  /// The picture, without the bytes of its samples; `nil` if its codec is not one that C libraries decode.
  func picture() -> CodedPicture? {
    guard let codec else { return nil }
    var picture = CodedPicture(
      codec: codec, configuration: configuration,
      samples: [])
    picture.pixelLimit = Int(clamping: pixelLimit)
    return picture
  }

  var sampleSizes: [Int] { sizes.map(Int.init(clamping:)) }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "is_strict", &isStrict)
    try v.group("codec", &codecName)
    try v.bytes(
      "configuration", &configuration, count: v.count(32, "byte_count", configuration.count))
    try v.u(64, "pixel_limit", &pixelLimit)
    try v.u(32, "threads", &threadCount)
    try v.values(64, "sizes", &sizes, count: v.count(32, "sample_count", sizes.count))
  }

  private static func name(of codec: PictureCodec) throws(MediaError) -> String {
    switch codec {
    case .hevc: "hevc"
    case .avc: "avc"
    case .av1: "av1"
    case .item(let type): itemPrefix + type
    case .jpeg, .png, .pngAlpha, .raster:
      throw MediaError(.misuse, "\(codec.name) cannot be decoded in a separate process")
    }
  }

  private var codec: PictureCodec? {
    switch codecName.text {
    case "hevc": .hevc
    case "avc": .avc
    case "av1": .av1
    case let name where name.hasPrefix(Self.itemPrefix):
      .item(String(name.dropFirst(Self.itemPrefix.count)))
    default: nil
    }
  }
}
