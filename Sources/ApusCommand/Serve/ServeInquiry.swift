// SPDX-License-Identifier: MIT

import Bytes
import Files
import HTTP
import ISOBMFF
import Media

/// What a request asks, with the file that it asks about.
struct ServeInquiry: Sendable {
  let route: ServeRoute
  let query: [HTTPHead.Field]
  let file: SpoolSource
  /// All that the answer depends on beside the file.
  let words: [String]
  /// What tells the file and what is asked of it apart from all others. The answer is made of nothing else.
  let tag: String
  private let fileKind: FileKind?

  /// - Parameter body: the file, which a form may be around.
  init(
    _ route: ServeRoute, _ query: [HTTPHead.Field], _ body: SpoolSource, _ head: HTTPHead
  ) throws {
    (self.route, self.query) = (route, query)
    file = try Self.file(body, query, head)
    words = [About.version, route.path] + query.flatMap { [$0.name, $0.value ?? "\u{1}"] }
    var content = ContentTag()
    try content.add(words, file)
    tag = "\"\(content.digits)\""
    fileKind = Self.kind(of: file)
  }

  /// What takes about as long.
  var kind: ServeKind {
    ServeKind(route.path, query.map { ($0.name, $0.value) }, bytes: file.count)
  }

  func call(_ limits: ServeLimits, threads: Int) throws(UsageError) -> ServeCall {
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
