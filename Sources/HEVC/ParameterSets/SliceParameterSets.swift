// SPDX-License-Identifier: MIT

/// The parameter sets that a slice refers to. They are shared by all such slices, because copies would take as long as
/// reading a slice header.
package struct SliceParameterSets: Sendable {
  final class Picture: Sendable {
    let set: PictureParameterSet

    init(_ set: PictureParameterSet) { self.set = set }
  }

  final class Sequence: Sendable {
    let set: SequenceParameterSet
    /// The short-term reference picture sets with prediction resolved.
    let known: ShortTermReferencePictureSet.Known
    let highestSubLayer: SubLayerOrdering?

    init(_ set: SequenceParameterSet) {
      self.set = set
      known = ShortTermReferencePictureSet.Known(deltas: set.referencePictureDeltas)
      highestSubLayer = set.subLayerOrdering.last
    }
  }

  private let sharedPicture: Picture
  private let sharedSequence: Sequence

  init(_ picture: Picture, _ sequence: Sequence) {
    sharedPicture = picture
    sharedSequence = sequence
  }

  package var picture: PictureParameterSet { sharedPicture.set }
  package var sequence: SequenceParameterSet { sharedSequence.set }
  /// The buffering of the highest sub-layer of the sequence.
  package var highestSubLayer: SubLayerOrdering? { sharedSequence.highestSubLayer }
  var known: ShortTermReferencePictureSet.Known { sharedSequence.known }
}
