// SPDX-License-Identifier: MIT

/// The prediction dependencies between layers, which are identified by their index in the video parameter set: ITU-T
/// H.265, F.7.4.3.1.1.
struct LayerGraph {
  /// `layer_id_in_nuh`.
  let ids: [Int]
  private let direct: [[Int]]
  /// All layers that a layer depends on, directly or indirectly (`IdRefLayer`).
  private let all: [Set<Int>]

  /// - Parameter dependencies: the values of `direct_dependency_flag`, from layer 1.
  init(ids: [Int], dependencies: [[Bool]]) {
    self.ids = ids
    direct = [[]] + dependencies.map { flags in flags.indices.filter { flags[$0] } }
    var all: [Set<Int>] = []
    // A layer refers only to earlier layers.
    for references in direct {
      all.append(references.reduce(into: Set(references)) { $0.formUnion(all[$1]) })
    }
    self.all = all
  }

  func depends(_ layer: Int, on reference: Int) -> Bool {
    direct.indices.contains(layer) && direct[layer].contains(reference)
  }

  func directReferences(of layer: Int) -> [Int] {
    direct.indices.contains(layer) ? direct[layer] : []
  }

  func allReferences(of layer: Int) -> Set<Int> { all.indices.contains(layer) ? all[layer] : [] }

  /// Each independent layer with the layers that depend on it (`TreePartitionLayerIdList`): (F-6).
  var trees: [[Int]] {
    var taken: Set<Int> = []
    return direct.indices.filter { direct[$0].isEmpty }.map { root in
      let members = [root] + direct.indices.filter { all[$0].contains(root) && !taken.contains($0) }
      taken.formUnion(members)
      return members
    }
  }
}
