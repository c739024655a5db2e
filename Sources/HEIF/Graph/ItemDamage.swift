// SPDX-License-Identifier: MIT

internal import Bytes
internal import ISOBMFF

/// Something that is wrong with a file of items, and which pictures it leaves in doubt.
struct ItemDamage: Sendable {
  enum Reach: Sendable {
    /// Every picture: what the items are, or how they belong together, cannot be known any more.
    case file
    /// Every picture that is made of one of these items.
    case items([UInt32])
    /// No picture: something beside them is damaged, or something is odd.
    case nothing
  }

  var finding: Finding
  /// The kind of the error thrown for a picture that the damage affects.
  var kind = SyntaxError.Kind.invalid
  var reach = Reach.nothing

  /// Why a picture cannot be made.
  var error: SyntaxError {
    SyntaxError(
      kind, field: "", path: finding.path, offset: finding.offset, detail: finding.message)
  }
}

/// All that is wrong with one file, arranged so that a picture is judged in the time that its own items take.
struct FileDamage: Sendable {
  private(set) var all: [ItemDamage]
  /// The first that reaches every picture.
  private let ofFile: Int?
  /// The first that reaches the pictures made of an item.
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

  /// Throws the damage that leaves every picture in doubt.
  func checkFile() throws(SyntaxError) {
    if let ofFile { throw all[ofFile].error }
  }

  /// Throws the damage that leaves the picture of an item in doubt.
  func check(_ id: UInt32, in graph: ItemGraph) throws(SyntaxError) {
    try checkFile()
    guard !ofItems.isEmpty else { return }
    let first = graph.makings(of: id).compactMap { ofItems[$0] }.min()
    if let first { throw all[first].error }
  }
}
