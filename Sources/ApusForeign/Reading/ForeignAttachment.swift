// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusSamples

extension Attachment {
  /// Creates an attachment from a stream that is an attached file or a cover picture; `nil` for any other, and if its
  /// bytes are missing.
  init?(_ stream: ForeignStream) {
    guard stream.kind == .attachment || stream.disposition.contains(.cover),
      !stream.configuration.isEmpty
    else { return nil }
    func tag(_ name: String) -> String? {
      stream.tags.first { $0.name.lowercased() == name }.map(\.value).flatMap {
        $0.isEmpty ? nil : $0
      }
    }
    let (type, ending) = Self.types[stream.codec] ?? ("application/octet-stream", "bin")
    let word = stream.kind == .attachment ? "attachment" : "cover"
    self.init(
      name: tag("filename") ?? "\(word).\(ending)", mediaType: tag("mimetype") ?? type,
      data: Extent(stream.configuration))
    title = tag("title") ?? ""
  }

  private static let types: [String: (String, String)] = [
    "mjpeg": ("image/jpeg", "jpg"), "png": ("image/png", "png"), "gif": ("image/gif", "gif"),
    "bmp": ("image/bmp", "bmp"), "webp": ("image/webp", "webp"), "tiff": ("image/tiff", "tiff"),
    "ttf": ("application/x-truetype-font", "ttf"), "otf": ("application/vnd.ms-opentype", "otf"),
  ]
}

extension ForeignStream {
  /// Creates the stream for a file inside Matroska.
  init(_ attachment: Attachment) throws {
    self.init(.attachment, codec: "none")
    configuration = try attachment.data.bytes()
    tags = [
      ForeignTag(name: "filename", value: attachment.name),
      ForeignTag(name: "mimetype", value: attachment.mediaType),
    ]
    if !attachment.title.isEmpty {
      tags.append(ForeignTag(name: "title", value: attachment.title))
    }
  }
}
