// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusHTTP
import ApusMedia
import ISOBMFF

/// A request together with its file.
struct Inquiry: Sendable {
  let route: Route
  let query: [HTTPHead.Field]
  let file: SpoolSource
  /// The tag of the answer, made from the file and all parameters.
  let tag: String
  private let fileKind: FileKind?

  /// - Parameter body: the file, possibly within a form.
  init(
    _ route: Route, _ query: [HTTPHead.Field], _ body: SpoolSource, _ head: HTTPHead
  ) throws {
    (self.route, self.query) = (route, query)
    file = try Self.file(body, query, head)
    // Everything on which the answer depends, except the file.
    let words = [About.version, route.path] + query.flatMap { [$0.name, $0.value ?? "\u{1}"] }
    var content = ContentTag()
    for word in words { content.add(Array(word.utf8) + [0]) }
    for start in stride(from: 0, to: file.count, by: 1 << 20) {
      content.add(try file.bytes(in: start..<min(start + 1 << 20, file.count)))
    }
    tag = "\"\(content.digits)\""
    fileKind = Self.kind(of: file)
  }

  func call(_ limits: VerbLimits, threads: Int) throws(UsageError) -> RouteCall {
    try route.call(query, of: fileKind, limits, workers: threads)
  }

  private static func file(
    _ body: SpoolSource, _ query: [HTTPHead.Field], _ head: HTTPHead
  ) throws -> SpoolSource {
    guard let form = FormBody(body, type: head.header("Content-Type")) else { return body }
    let field = query.first { $0.name == "field" }?.value
    guard let file = try form.file(named: field), file.count > 0 else {
      throw Problem(400, "misuse", "the form has no file")
    }
    return file
  }

  private static func kind(of body: SpoolSource) -> FileKind? {
    do { return try FileKind(of: body) } catch { return nil }
  }
}
