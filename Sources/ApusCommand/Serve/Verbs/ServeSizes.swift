// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusStills
import Glibc

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
    // A thumbnail used instead of the photo must be large enough for all of them.
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
    let report = engine.reportAndWait(of: request)
    let isWhole = report.failure == nil && report.outputs.count == sides.count
    // The report comes last, because it only says that all is well once the parts are written.
    if isWhole { try write(sides.indices.map { (report.outputs[$0], destinations[$0].bytes) }) }
    ResultStream(console: console).write(json: ExtractedPhoto(report: report))
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
