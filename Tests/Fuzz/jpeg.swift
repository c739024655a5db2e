// SPDX-License-Identifier: MIT

import ApusJPEG
import ApusMedia

/// The coded data of a JPEG are whole or damaged, whatever the pieces in which they come, and damage is at one of its bytes.
func fuzz(_ bytes: [UInt8]) throws {
  let damage = try walked(bytes, piece: bytes.count)
  let other = try walked(bytes, piece: 7)
  try expect(
    damage?.kind == other?.kind && damage?.message == other?.message, "pieces make another damage")
  for offset in [damage, other].compactMap({ $0?.offset }) {
    try expect(offset <= bytes.count, "the damage is beyond the end, at byte \(offset)")
  }
}

private func walked(_ bytes: [UInt8], piece: Int) throws -> JPEGDamage? {
  var place = 0
  return try JPEGDamage { (most: Int) throws(MediaError) -> [UInt8] in
    let end = min(place + min(most, piece), bytes.count)
    defer { place = end }
    return Array(bytes[place..<end])
  }
}
