// SPDX-License-Identifier: MIT

package import ApusBytes
package import ApusMedia
internal import ApusRaster

/// The structures of a picture file or an ICC profile in order, and the findings from reading them.
package struct StructureTree: Sendable {
  package internal(set) var structures: [FileStructure] = []
  package internal(set) var findings: [Finding] = []
  /// The segments of a JPEG in which boxes begin, by their instance and type.
  var boxSegments: [UInt64: Int] = [:]
  /// The number of structures, and of directories and tags in them, that may still be read.
  private var left: Int
  private let most: Int

  /// The maximum number of structures, of which a picture with small chunks has thousands.
  private static let mostEver = 1 << 16

  private init(limits: Limits) {
    most = min(limits.boxes, Self.mostEver)
    left = most
  }

  /// Reads a file; `nil` if it is of another kind. Throws only if the input cannot be read; errors in its content become
  /// findings.
  package init?(reading source: any ByteSource, kind: FileKind, limits: Limits = Limits())
    throws(SyntaxError)
  {
    self.init(limits: limits)
    let data = Extent(source, 0..<source.count)
    switch kind {
    case .png: try readPNG(data)
    case .jpeg: try readJPEG(data)
    case .webP: try readWebP(data)
    default:
      guard try Self.isProfile(data) else { return nil }
      structures = try profile(data)
    }
  }

  /// Creates the tree of an ICC profile in another file, at its place there.
  package init(profile data: Extent, limits: Limits = Limits()) throws(SyntaxError) {
    self.init(limits: limits)
    structures = try profile(data)
  }

  /// Returns whether a file is a profile. Its first bytes may look like a box.
  private static func isProfile(_ data: Extent) throws(SyntaxError) -> Bool {
    guard data.count >= ICCHeader.leastProfile else { return false }
    let header = ICCHeader(reading: try data.prefix(ICCHeader.size).bytes())
    return header?.signature == "acsp"
  }

  /// Returns whether another structure may be read; after the last one a finding says where reading ended.
  mutating func mayRead(_ offset: Int) -> Bool {
    left -= 1
    if left == -1 { report("limit", "", offset, "are beyond the limit of \(most) structures") }
    return left >= 0
  }

  mutating func report(_ rule: String, _ name: String, _ offset: Int, _ message: String) {
    // Every structure of a hostile file may be wrong.
    guard findings.count < 1000 else { return }
    findings.append(Finding(.error, rule: rule, path: name, offset: offset, message: message))
  }

  /// Adds the declaration of a content to a structure, and reports it if that does not match.
  mutating func fill(
    _ structure: inout FileStructure, _ declaration: (any SyntaxStructure)?, _ range: Range<Int>
  ) throws(SyntaxError) {
    try structure.add(declaration, range)
    if let reason = structure.reason {
      report("malformed", structure.name, range.lowerBound, reason)
    }
    if declaration == nil { structure.reason = "unknown type" }
  }

  /// Whether a limit ended reading.
  var isLimited: Bool { left < 0 }

  /// Returns what is left of the data as a structure of bytes, if anything is.
  func rest(of data: Extent, from start: Int, _ reason: String) throws(SyntaxError)
    -> [FileStructure]
  {
    guard start < data.range.upperBound else { return [] }
    let range = start..<data.range.upperBound
    var rest = FileStructure("", Extent(data.source, range))
    try rest.add(nil, range)
    rest.reason = isLimited ? "not read because a limit was reached" : reason
    return [rest]
  }
}
