// SPDX-License-Identifier: MIT

/// The parameter sets that a slice refers to. All slices that do so share them, for copies would take as long as
/// reading the header of a slice.
package struct SliceParameterSets: Sendable {
  final class Picture: Sendable {
    let set: PictureParameterSet

    init(_ set: PictureParameterSet) { self.set = set }
  }

  final class Sequence: Sendable {
    let set: SequenceParameterSet
    /// The short-term reference picture sets as they apply.
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
  /// How many pictures of the sequence wait for others.
  package var highestSubLayer: SubLayerOrdering? { sharedSequence.highestSubLayer }
  var known: ShortTermReferencePictureSet.Known { sharedSequence.known }
}
