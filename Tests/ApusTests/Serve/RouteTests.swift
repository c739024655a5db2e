// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEIF
import Testing

@testable import ApusCommand
@testable import ApusHTTP

@Suite struct RouteTests {
  /// Returns the call for a path with a query, whose parameters are not escaped.
  static func call(
    _ target: String, of kind: FileKind? = nil, _ limits: VerbLimits = VerbLimits(),
    workers: Int = 1
  ) throws -> RouteCall {
    let head = HTTPHead(target: target)
    let route = try #require(Route.all.first { $0.path == head.path })
    return try route.call(head.query, of: kind, limits, workers: workers)
  }

  @Test func `it has a path for each verb that answers, and for each operation of Imaginary`() {
    let paths = Route.all.map(\.path)
    #expect(Set(paths).count == paths.count)
    #expect(
      paths.sorted() == [
        "/autorotate", "/convert", "/crop", "/enlarge", "/extract", "/fit", "/flip", "/flop",
        "/info", "/pipeline", "/resize", "/rotate", "/smartcrop", "/thumbnail",
        "/v1/convert", "/v1/edit", "/v1/extract", "/v1/flv/check", "/v1/flv/show", "/v1/hvcc/check",
        "/v1/hvcc/show", "/v1/info", "/v1/inspect", "/v1/report", "/v1/thumbnail",
      ])
    let own = paths.filter { $0.hasPrefix("/v1/") }
    #expect(Route.own.map(\.path).sorted() == own.sorted())
  }

  /// The target of a request, the command that a person would type for it, and what the answer is.
  static let calls: [(target: String, words: String, result: RouteCall.Result)] = [
    ("/v1/convert", "convert --json --jobs=3 --output=- -", .file),
    (
      "/v1/convert?format=png&srgb&quality=80",
      "convert --json --format=png --srgb --quality=80 --jobs=3 --output=- -", .file
    ),
    ("/v1/convert?field=a", "convert --json --jobs=3 --output=- -", .file),
    // A flag is on or off, and one that may have a value is both.
    ("/v1/convert?srgb=", "convert --json --srgb --jobs=3 --output=- -", .file),
    ("/v1/convert?srgb=1", "convert --json --srgb --jobs=3 --output=- -", .file),
    ("/v1/convert?srgb=true", "convert --json --srgb --jobs=3 --output=- -", .file),
    ("/v1/convert?srgb=yes", "convert --json --srgb --jobs=3 --output=- -", .file),
    ("/v1/convert?srgb=0&salvage=no", "convert --json --jobs=3 --output=- -", .file),
    ("/v1/thumbnail?size=64", "thumbnail --json --size=64 --jobs=3 --output=- -", .file),
    ("/v1/thumbnail?size=64x32", "thumbnail --json --size=64x32 --jobs=3 --output=- -", .file),
    (
      "/v1/thumbnail?size=64&policy=always&size=320",
      "serve-sizes --json --side=64 --side=320 --policy=always --jobs=3 --output=- -", .parts
    ),
    ("/v1/edit?strip=gps", "edit --json --strip=gps --output=- -", .file),
    (
      "/v1/edit?set=title=a&set=rating=3", "edit --json --set=title=a --set=rating=3 --output=- -",
      .file
    ),
    ("/v1/extract?role=depth", "extract --json --role=depth --jobs=3 --output=- -", .file),
    ("/v1/info", "info --json -", .results),
    ("/v1/inspect", "inspect --json -", .results),
    ("/v1/hvcc/show", "hvcc show --json -", .results),
    ("/v1/hvcc/check", "hvcc check --json -", .results),
    ("/v1/flv/show", "flv show --json -", .results),
    ("/v1/flv/check", "flv check --json -", .results),
    ("/v1/report?with-media", "report --with-media --output=- -", .page),
    ("/info", "serve-properties --json -", .results),
    ("/info?field=photo", "serve-properties --json -", .results),
    (
      "/flip", "convert --json --format=jpeg --quality=80 --flip=vertical --jobs=3 --output=- -",
      .file
    ),
    (
      "/fit?width=9&height=8&stripmeta",
      "thumbnail --json --format=jpeg --quality=80 --size=9x8 --jobs=3 --output=- -", .file
    ),
  ]

  @Test(arguments: calls)
  func `it calls a verb with the parameters as its options`(
    _ row: (target: String, words: String, result: RouteCall.Result)
  ) throws {
    let call = try Self.call(row.target, workers: 3)
    #expect(call.words.joined(separator: " ") == row.words)
    #expect(call.result == row.result)
  }

  /// The target of a request, and its words for limits on boxes, and on pictures too.
  @Test(arguments: [
    ("/v1/convert", true), ("/v1/thumbnail", true), ("/v1/thumbnail?size=1&size=2", true),
    ("/v1/edit", true), ("/v1/extract", true), ("/info", true), ("/flip", true),
    ("/v1/info", false), ("/v1/inspect", false), ("/v1/hvcc/show", false), ("/v1/flv/check", false),
    ("/v1/report", false),
  ])
  func `it passes the limits of the server on`(_ target: String, _ decodes: Bool) throws {
    var options = PhotoLimitOptions()
    options.boxes.boxes = 7
    options.plan.megapixels = 5
    options.isolation.wallSeconds = 3
    let words = try Self.call(target, VerbLimits(options)).words
    #expect(words.contains("--limit=boxes=7"))
    #expect(words.contains("--limit=megapixels=5") == decodes)
    // Those of the process are kept by the server.
    #expect(!words.contains { $0.contains("seconds") || $0.contains("address") })
    #expect(try !Self.call(target).words.contains { $0.hasPrefix("--limit") })
  }

  /// The target of a request, and part of the reason for which it is refused.
  static let refused: [(String, String)] = [
    ("/v1/convert?quality=0", "--quality is \"0\""),
    ("/v1/convert?quality", "quality needs a value"),
    ("/v1/convert?quality=80&quality=90", "the parameter quality is given twice"),
    ("/v1/convert?field=a&field=b", "the parameter field is given twice"),
    ("/v1/convert?qualty=3", "/v1/convert has no parameter qualty; did you mean quality?"),
    ("/v1/convert?format=tiff", "--format is \"tiff\""),
    ("/v1/convert?srgb=maybe", "srgb must be true or false, not maybe"),
    ("/v1/convert?size=3", "no parameter size"),
    ("/v1/edit?set=rating=9", "rating=-1 to 5"),
    ("/v1/thumbnail?size=0", "--size is \"0\""),
    ("/v1/thumbnail?size=64&size=64", "the size 64 is given twice"),
    ("/v1/thumbnail?size=64&size=10x20", "each is a whole number from 1 to 16384, not 10x20"),
    ("/v1/thumbnail?size=64&size=0", "not 0"),
    ("/v1/thumbnail?size=64&size=16385", "not 16385"),
    ("/v1/thumbnail?size=64&size", "not nothing"),
    (
      "/v1/thumbnail?" + (1...17).map { "size=\($0)" }.joined(separator: "&"),
      "at most 16 sizes, not 17"
    ),
    ("/v1/info?json", "no parameter json"),
    ("/v1/hvcc/show?on-exists=skip", "no parameter on-exists"),
    ("/info?width=10", "width of info is not done"),
    ("/fit?width=9&height=9&width=8", "the parameter width is given twice"),
  ]

  @Test(arguments: refused)
  func `it refuses parameters with a reason`(_ target: String, _ part: String) {
    let error = #expect(throws: UsageError.self) { try Self.call(target) }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  /// Options that name files, or that are the business of the server.
  @Test(arguments: Route.own.map(\.path))
  func `it lets no request name a file or change the server's limits`(_ path: String) {
    for name in [
      "output", "journal", "exif", "xmp", "icc", "copy-from", "files-from", "limit", "jobs",
      "isolate", "live", "mtime", "name", "recursive", "dry-run", "remove-source", "json", "color",
      "help", "verbose", "sidecars", "group",
    ] {
      #expect(throws: UsageError.self, "\(name)") { try Self.call("\(path)?\(name)=/etc/passwd") }
      #expect(throws: UsageError.self, "\(name)") { try Self.call("\(path)?\(name)") }
    }
  }

  @Test func `it takes only as many words as a process can receive`() throws {
    let longest = (1 << 16) - "edit\0--json\0--set=title=\0--output=-\0-\0".utf8.count
    let target = { (count: Int) in "/v1/edit?set=title=" + String(repeating: "x", count: count) }
    #expect(try Self.call(target(longest)).words.count == 5)
    #expect(throws: UsageError("the parameters are too long")) {
      try Self.call(target(longest + 1))
    }
  }
}

extension HTTPHead {
  /// The head of a request for a target without escapes.
  init(_ method: String = "POST", target: String, _ headers: [(String, String)] = []) {
    let sides = target.split(separator: "?", maxSplits: 1)
    self.init(method, String(sides[0]))
    query = sides.dropFirst().flatMap { $0.split(separator: "&") }.map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return Field(String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
    }
    self.headers = headers.map { Field($0.0, $0.1) }
  }
}
