// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusJSON
import ApusMedia
import ApusStills
import HEIF
import ISOBMFF

/// `apus serve-properties`: the facts that Imaginary's `/info` returns about a picture, without decoding it.
///
/// Sides and channels are those of the picture as the other operations write it, upright, so no orientation is left to
/// be applied.
struct ServeProperties: Verb {
  static let name = "serve-properties"
  static let summary = "say what a picture is, for a server"
  static let examples: [Example] = []

  var path = "-"
  var json = false
  var limits = PhotoLimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("IN", &path, completion: .files, "the picture")
    try v.json(&json)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    let source = try InputName(path: path).opened(limits.boxes)
    var options = ConvertOptions()
    options.format = .png
    options.hdr = .drop
    options.limits = limits.plan
    options.boxLimits = limits.boxes
    let preview: PhotoPreview
    do {
      preview = try PhotoPreview(source, options: options)
    } catch {
      throw error.failure
    }
    guard let picture = preview.pictures.first, let samples = picture.samples else {
      throw MediaError(.unsupported, of: .input, "has no picture")
    }
    let type = try Self.type(of: source)
    let isDeep = samples.bitsPerChannel > 8
    var json = JSONWriter(ResultStream(console: console))
    json.object { json in
      json.field("width", samples.width)
      json.field("height", samples.height)
      json.field("type", type)
      json.field(
        "space",
        samples.channels.isGray ? (isDeep ? "grey16" : "b-w") : (isDeep ? "rgb16" : "srgb"))
      json.field("hasAlpha", samples.channels.hasAlpha)
      json.field("hasProfile", picture.plan.colour.profile != nil)
      json.field("channels", samples.channels.rawValue)
      json.field("orientation", 1)
    }
    json.endDocument()
    return .done
  }

  private static func type(of source: any ByteSource) throws -> String {
    let kind = try FileKind(of: source)
    guard kind == .isoBMFF else { return kind.rawValue }
    let brand = try source.bytes(in: min(8, source.count)..<min(12, source.count))
    return ["avif", "avis"].contains(String(decoding: brand, as: UTF8.self)) ? "avif" : "heif"
  }
}
