// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// A defect of a file of items, with the pictures that it affects.
struct ItemDamage: Sendable {
  enum Reach: Sendable {
    /// Every picture, because the items or their relations can no longer be determined.
    case file
    /// Every picture made from one of these items.
    case items([UInt32])
    /// No picture, because the defect is elsewhere or merely unusual.
    case nothing
  }

  var finding: Finding
  /// The kind of the error thrown for a picture that the damage affects.
  var kind = SyntaxError.Kind.invalid
  var reach = Reach.nothing

  /// The error thrown for an affected picture.
  var error: SyntaxError {
    SyntaxError(
      kind, field: "", path: finding.path, offset: finding.offset, detail: finding.message)
  }
}

/// The defects of one file, arranged so that the cost of checking a picture depends only on its own items.
struct FileDamage: Sendable {
  private(set) var all: [ItemDamage]
  /// The index of the first defect that affects every picture.
  private let ofFile: Int?
  /// The index of the first defect that affects pictures made from an item.
  private let ofItems: [UInt32: Int]

  init(_ all: [ItemDamage]) {
    self.all = all
    var ofFile: Int?
    var ofItems: [UInt32: Int] = [:]
    for (index, damage) in all.enumerated() {
      switch damage.reach {
      case .file: ofFile = ofFile ?? index
      case .items(let ids): for id in ids { ofItems[id] = ofItems[id] ?? index }
      case .nothing: break
      }
    }
    (self.ofFile, self.ofItems) = (ofFile, ofItems)
  }

  /// Throws the defect that affects every picture, if any.
  func checkFile() throws(SyntaxError) {
    if let ofFile { throw all[ofFile].error }
  }

  /// Throws the defect that affects the picture of an item, if any.
  func check(_ id: UInt32, in graph: ItemGraph) throws(SyntaxError) {
    try checkFile()
    guard !ofItems.isEmpty else { return }
    let first = graph.makings(of: id).compactMap { ofItems[$0] }.min()
    if let first { throw all[first].error }
  }
}
