// SPDX-License-Identifier: MIT

import Bytes
import Files
import Glibc
import ISOBMFF
import Media
import Stills

/// `apus serve-sizes`: a photo in several sizes from one decoding, written as the parts of one body (RFC 2046, 5.1).
struct ServeSizes: Verb {
  static let name = "serve-sizes"
  static let summary = "make one photo in several sizes for a server"
  static let examples: [Example] = []
  /// The most sizes that one request may ask for.
  static let most = 16

  var thumbnail = Thumbnail()
  var sides: [UInt] = []

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try thumbnail.arguments(&v)
    try v.option("side", "N", &sides, "how many pixels the longer side has; once for each size")
  }

  func run(_ console: Console) throws -> ExitStatus {
    let settings = try thumbnail.settings()
    var options = settings.batch.options
    let sides = sides.map { Int($0) }
    // What is taken in place of the photo must do for all of them.
    options.longestSide = sides.max()
    let limit = options.boxLimits.pipe
    let engine = PhotoEngine(options, workers: settings.batch.workers)
    let destinations = sides.map { MemoryDestination(name: "\($0)") }
    var request = PhotoRequest(
      name: "standard input", open: { try standardInput(limit: limit) },
      output: { role in
        guard case .part(let side, _) = role else { return nil }
        return sides.firstIndex { "\($0)" == side }.map { destinations[$0] }
      })
    request.longestSides = sides
    let report = engine.report(of: request)
    let isWhole = report.failure == nil && report.outputs.count == sides.count
    // The report comes last: what says that all is well stands for parts that are there.
    if isWhole { try write(sides.indices.map { (report.outputs[$0], destinations[$0].bytes) }) }
    var json = JSONWriter(ResultStream(console: console))
    ConvertJSON(namesRoles: true).write(report, to: &json)
    return isWhole ? .done : .failed
  }

  private func write(_ parts: [(output: PhotoReport.Output, bytes: [UInt8])]) throws {
    let body = MultipartBody(parts.map(\.bytes))
    let writer = DescriptorWriter(STDOUT_FILENO, name: "the answer")
    for (output, bytes) in parts {
      try writer.write(
        body.head([
          ("Content-Type", MediaType.of(bytes)), ("Content-Length", "\(bytes.count)"),
          ("Content-Disposition", "attachment; name=\"\(output.path)\""),
          ("Image-Width", "\(output.width)"), ("Image-Height", "\(output.height)"),
        ]))
      try writer.write(bytes.span)
      try writer.write("\r\n")
    }
    try writer.write(body.end)
    try writer.flush()
  }
}

/// How several files are one body: the line between them occurs in none.
struct MultipartBody {
  let boundary: String
  static let prefix = "apus-"

  init(_ parts: [[UInt8]]) {
    // As it depends on all bytes it is not among them, and the same bytes have the same one.
    var tag = ContentTag()
    for part in parts { tag.add(part) }
    boundary = Self.prefix + tag.digits
  }

  func head(_ headers: [(name: String, value: String)]) -> String {
    "--\(boundary)\r\n" + headers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
  }

  var end: String { "--\(boundary)--\r\n" }

  /// The type of a body that begins with these bytes.
  static func type(ofBodyWith beginning: [UInt8]) -> String {
    let line = beginning.dropFirst(2).prefix { $0 != UInt8(ascii: "\r") }
    return "multipart/mixed; boundary=" + String(decoding: line, as: UTF8.self)
  }
}

/// The types of files as HTTP names them.
enum MediaType {
  static func of(_ bytes: [UInt8]) -> String { of(MemorySource(bytes)) }

  static func of(_ source: any ByteSource) -> String {
    let kind: FileKind? = {
      do { return try FileKind(of: source) } catch { return nil }
    }()
    switch kind {
    case .jpeg: return "image/jpeg"
    case .png: return "image/png"
    case .webP: return "image/webp"
    case .isoBMFF: return ofBoxes(source)
    default: return "application/octet-stream"
    }
  }

  private static let imageBrands: Set<FourCC> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "avci", "miaf",
  ]

  /// A photo, or the video that it holds.
  private static func ofBoxes(_ source: any ByteSource) -> String {
    let bytes: [UInt8] = {
      do { return try source.bytes(in: 0..<min(source.count, 12)) } catch { return [] }
    }()
    // Movies of QuickTime may begin with another box.
    guard bytes.count == 12, bytes[4..<8].elementsEqual("ftyp".utf8) else {
      return "video/quicktime"
    }
    let brand = FourCC(bytes[8...].reduce(0) { $0 << 8 | UInt32($1) })
    if imageBrands.contains(brand) { return "image/heic" }
    return brand == "qt  " ? "video/quicktime" : "video/mp4"
  }
}
