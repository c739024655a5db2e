// SPDX-License-Identifier: MIT

internal import ApusBytes

extension DotDensity {
  /// Returns Exif with this density. Exif that already has a density, or that cannot be read, is unchanged; if there is
  /// none, it is created.
  public func added(to exif: [UInt8]?) -> [UInt8]? {
    let given = exif.map(ExifReader.withoutIdentifier) ?? []
    do throws(SyntaxError) {
      var editor =
        given.isEmpty ? try ExifEditor.minimal(orientation: 1) : try ExifEditor(given)
      return try editor.setDensity(self) ? editor.bytes : exif
    } catch {
      return exif
    }
  }
}

extension ExifEditor {
  /// Sets the print resolution unless there is one already; returns whether it was set.
  fileprivate mutating func setDensity(_ density: DotDensity) throws(SyntaxError) -> Bool {
    let tags = [ExifTag.xResolution, ExifTag.yResolution, ExifTag.resolutionUnit]
    guard let image = tree.index(of: .image(0)) else { return false }
    var directory = tree.places[image].directory
    guard directory.isComplete, directory.entries.count + tags.count <= UInt16.max,
      !directory.entries.contains(where: { tags.contains($0.tag) })
    else { return false }
    let order = tree.order
    let numbers = [density.across, density.length, density.down, density.length]
    let offset = try append(numbers.flatMap { order.bytes($0) })
    directory.add(TIFFEntry(tags[0], TIFFEntry.rational, at: offset, order))
    directory.add(TIFFEntry(tags[1], TIFFEntry.rational, at: offset + 8, order))
    try add(
      TIFFEntry(tags[2], TIFFEntry.short, UInt32(density.unit.rawValue), order), to: directory)
    return true
  }
}
