// SPDX-License-Identifier: MIT

package import ApusBytes

extension ReferenceProcessingUnit {
  /// Changes to the mapping of a picture that was decoded and is encoded again.
  package struct Changes: Hashable, Sendable {
    /// The pictures' new frame; `nil` leaves areas as they are.
    package var frame: Frame?
    /// Whether the mapping becomes that of the base layer alone: from profile 7 to 8.1.
    package var dropsEnhancementLayer = false

    package init() {}

    package var isEmpty: Bool { frame == nil && !dropsEnhancementLayer }
  }

  /// A part of a picture, scaled to another size.
  package struct Frame: Hashable, Sendable {
    /// The lines and columns around the part that are cut off.
    package var left, right, top, bottom: Int
    /// The size of the part.
    package var width, height: Int
    /// The size to which it is scaled.
    package var newWidth, newHeight: Int

    package init(
      left: Int, right: Int, top: Int, bottom: Int, width: Int, height: Int, newWidth: Int,
      newHeight: Int
    ) {
      (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
      (self.width, self.height) = (width, height)
      (self.newWidth, self.newHeight) = (newWidth, newHeight)
    }

    /// Returns the margins of the area with content: level 5, in the order of its fields.
    func moved(_ margins: [UInt32]) -> [UInt32] {
      let cuts = [left, right, top, bottom]
      let (old, new) = (
        [width, width, height, height], [newWidth, newWidth, newHeight, newHeight]
      )
      return margins.indices.map { place in
        let rest = max(0, Int(margins[place]) - cuts[place])
        let half = old[place] / 2
        return UInt32(min(max(0, (rest * new[place] + half) / max(1, old[place])), 0x1fff))
      }
    }
  }

  /// Returns the unit with changes; throws if its syntax is not known to the end.
  package func changed(_ changes: Changes) throws(SyntaxError) -> ReferenceProcessingUnit {
    guard !changes.isEmpty else { return self }
    var writer = SyntaxWriter(ArraySink())
    var copy = self
    try copy.syntax(&writer)
    let bytes = Array(writer.sink.bytes.dropLast(4))
    var survey = MappingCopy(bytes, Changes(), replacesCurves: false)
    try survey.run()
    // The residual of a full enhancement layer is missing, so curves that expect it would be wrong.
    let replaces = changes.dropsEnhancementLayer && survey.hasResidual
    var result = MappingCopy(bytes, changes, replacesCurves: replaces)
    try result.run()
    var made = result.bytes
    made += CyclicChecksum.of(made.dropFirst()).bigEndianBytes
    var reader = SyntaxReader(MemorySource(made))
    var unit = ReferenceProcessingUnit()
    try unit.syntax(&reader)
    return unit
  }
}
