// SPDX-License-Identifier: MIT

internal import Bytes

/// How many dots of a picture are printed on a length, as JFIF and PNG say it. A HEIC can say it in Exif alone.
public struct DotDensity: Hashable, Sendable {
  /// The values of ResolutionUnit: Exif 2.32, 4.6.4.
  enum Unit: UInt16 {
    case inch = 2
    case centimetre = 3
  }

  let across: UInt32
  let down: UInt32
  let unit: Unit
  /// So many units of length have as many dots.
  let length: UInt32

  /// The density that a JPEG gives: `nil` where it gives none, or 72 dots per inch, which Exif means where it says nothing.
  init?(_ header: JFIFHeader) {
    guard let unit: Unit = [1: .inch, 2: .centimetre][header.units] else { return nil }
    if unit == .inch, header.xDensity == 72, header.yDensity == 72 { return nil }
    self.init(UInt32(header.xDensity), UInt32(header.yDensity), unit, length: 1)
  }

  /// The density that a PNG gives.
  ///
  /// - Parameter pHYs: the body of that chunk: PNG, third edition, 11.3.4.3.
  public init?(pHYs: [UInt8]) {
    var chunk = PhysicalDimensions()
    var reader = SyntaxReader(MemorySource(pHYs))
    do throws(SyntaxError) {
      try chunk.syntax(&reader)
    } catch {
      return nil
    }
    guard chunk.unit == 1 else { return nil }
    self.init(chunk.across, chunk.down, .centimetre, length: 100)
  }

  private init?(_ across: UInt32, _ down: UInt32, _ unit: Unit, length: UInt32) {
    guard across > 0, down > 0 else { return nil }
    (self.across, self.down, self.unit, self.length) = (across, down, unit, length)
  }

  /// Exif that says it. Exif that gives a density of its own, or that cannot be read, stays as it is; where there is none,
  /// it is made.
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

/// The chunk `pHYs` of a PNG.
private struct PhysicalDimensions: SyntaxStructure {
  var across: UInt32 = 0
  var down: UInt32 = 0
  /// 1 for dots per metre, 0 for a ratio alone.
  var unit: UInt8 = 0

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "pixels_per_unit_x", &across)
    try v.u(32, "pixels_per_unit_y", &down)
    try v.u(8, "unit_specifier", &unit)
  }
}

extension ExifEditor {
  /// Says how densely the dots are printed. Returns whether it was not said before, and is now.
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
