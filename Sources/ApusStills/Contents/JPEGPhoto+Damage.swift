// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusJPEG
internal import ApusMedia

extension JPEGPhoto {
  /// Throws if the coded data is damaged.
  func checkCodes() throws {
    if let damage = try Self.damage(in: data) { throw damage.error }
  }

  fileprivate static func damage(in data: Extent) throws -> JPEGDamage? {
    var place = data.range.lowerBound
    return try JPEGDamage { (count: Int) throws(MediaError) -> [UInt8] in
      let range = place..<min(place + count, data.range.upperBound)
      place = range.upperBound
      do throws(SyntaxError) {
        return try data.source.bytes(in: range)
      } catch {
        throw MediaError(error)
      }
    }
  }
}

extension Finding {
  /// Returns the damage of a JPEG's coded data; `nil` if it is intact.
  public init?(damageOfJPEG source: any ByteSource) throws {
    guard let damage = try JPEGPhoto.damage(in: Extent(source, 0..<source.count)) else {
      return nil
    }
    self.init(
      .error, rule: "jpeg-damage", path: "", offset: damage.offset, message: damage.message)
  }
}
