// SPDX-License-Identifier: MIT

import ApusMedia

/// A request to decode a picture. The bytes of its samples follow the message.
struct DecodeRequest: ProcessMessage {
  let isStrict: Bool
  let threads: Int
  let sampleSizes: [Int]
  private let codecName: String
  private let configuration: [UInt8]
  private let pixelLimit: Int

  private static let itemPrefix = "item "

  init(_ picture: CodedPicture, isStrict: Bool, threads: Int) throws(MediaError) {
    self.isStrict = isStrict
    self.threads = threads
    codecName = try Self.name(of: picture.codec)
    configuration = picture.configuration
    pixelLimit = picture.pixelLimit
    sampleSizes = picture.samples.map(\.count)
  }

  /// The picture, without the bytes of its samples; `nil` if its codec is not one that C libraries decode.
  func picture() -> CodedPicture? {
    guard let codec else { return nil }
    var picture = CodedPicture(codec: codec, configuration: configuration, samples: [])
    picture.pixelLimit = pixelLimit
    return picture
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
    switch codecName {
    case "hevc": .hevc
    case "avc": .avc
    case "av1": .av1
    case let name where name.hasPrefix(Self.itemPrefix):
      .item(String(name.dropFirst(Self.itemPrefix.count)))
    default: nil
    }
  }
}
