// SPDX-License-Identifier: MIT

/// Decides which of the following pictures can still be decoded after others were dropped.
struct ReferenceGate: Hashable {
  /// Pictures of this temporal sub-layer and those above wait for a random access or switching point.
  private(set) var layer: UInt8?
  /// The lowest sub-layer whose RASL pictures refer to pictures that were dropped before their random access picture.
  private var rasl: UInt8?
  /// Whether the other leading pictures of this random access picture may refer to one that was dropped.
  private var isLeadingShut = false

  var isShut: Bool { layer != nil || rasl != nil || isLeadingShut }
  /// Whether nothing is admitted before the next random access picture.
  var awaitsRandomAccess: Bool { layer == 0 }

  /// The state of the gate when nothing has been sent yet.
  static let shut: ReferenceGate = {
    var gate = ReferenceGate()
    gate.layer = 0
    return gate
  }()

  /// Returns whether a picture can be decoded; must be called in decoding order.
  mutating func admits(_ picture: ReferenceRole) -> Bool {
    switch picture.kind {
    case .randomAccess:
      // Between two random access pictures with nothing but leading ones, those of the second may refer to
      // those of the first.
      rasl = isLeadingShut ? 0 : layer
      (layer, isLeadingShut) = (nil, false)
      return true
    case .rasl, .radl:
      if isLeadingShut { return false }
      if picture.kind == .rasl, let rasl, picture.temporalID >= rasl { return false }
    case .trailing: isLeadingShut = false
    }
    guard let layer else { return true }
    switch picture.access {
    case .all where picture.temporalID <= layer:
      self.layer = nil
      return true
    case .own where picture.temporalID == layer:
      // Higher sub-layers still refer to dropped pictures.
      self.layer = layer + 1
      return true
    default: return picture.temporalID < layer
    }
  }

  /// Records that a picture is dropped that could have been decoded.
  mutating func leaveOut(_ picture: ReferenceRole, highest: UInt8) {
    if picture.isLeaf(highest: highest) { return }
    if picture.isLeading {
      isLeadingShut = true
    } else {
      // Pictures of higher sub-layers may refer to it even if those of its own do not.
      let first =
        picture.kind == .randomAccess
        ? 0 : picture.temporalID + (picture.isReference ? 0 : 1)
      layer = min(layer ?? first, first)
    }
  }

  /// Combines two gates, so that only pictures admitted by both are admitted.
  mutating func merge(_ other: ReferenceGate) {
    layer = [layer, other.layer].compactMap(\.self).min()
    rasl = [rasl, other.rasl].compactMap(\.self).min()
    isLeadingShut = isLeadingShut || other.isLeadingShut
  }
}
