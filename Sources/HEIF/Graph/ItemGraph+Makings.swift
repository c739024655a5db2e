// SPDX-License-Identifier: MIT

internal import ApusBytes

extension ItemGraph {
  /// Returns the items that a picture is made from: itself, the inputs and references of its coding, the containers of
  /// its data, and the alpha of each.
  func makings(of id: UInt32) -> [UInt32] {
    var found = [id]
    var known: Set<UInt32> = [id]
    var next = 0
    func add(_ id: UInt32) {
      if known.insert(id).inserted { found.append(id) }
    }
    while next < found.count {
      let id = found[next]
      next += 1
      for reference in item(id)?.references ?? [] where Self.makingTypes.contains(reference.type) {
        for target in reference.to { add(target) }
      }
      for alpha in referrers(to: id, by: "auxl") where item(alpha)?.isAlpha == true { add(alpha) }
    }
    return found
  }

  private static let makingTypes: Set<FourCC> = ["dimg", "pred", "base", "tbas", "exbl", "iloc"]
}
