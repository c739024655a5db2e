// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

extension Overview {
  /// The maximum number of fragments in which data for content protection systems is looked for; usually the first has
  /// the same as all others.
  private static let mostFragments = 64

  /// Adds the content protection systems of the file to its encrypted tracks.
  mutating func addProtection(_ tree: BoxTree) {
    guard tracks.contains(where: { $0.encryption != nil }) else { return }
    var systems: [String] = []
    let fragments = tree.boxes.lazy.filter { $0.type == "moof" }.prefix(Self.mostFragments)
    for parent in tree.boxes.filter({ $0.type == "moov" }) + fragments {
      for node in parent.children {
        let id: [UInt8]
        switch node.box {
        case let box as ProtectionSystemSpecificHeader: id = box.systemID
        case let box as PIFFProtectionHeader: id = box.systemID
        default: continue
        }
        let name = ProtectionSystem.name(of: id) ?? Field.uuid(id)
        if !systems.contains(name) { systems.append(name) }
      }
    }
    for index in tracks.indices where tracks[index].encryption != nil {
      tracks[index].protectionSystems = systems
    }
  }
}
