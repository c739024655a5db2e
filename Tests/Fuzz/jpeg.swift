// SPDX-License-Identifier: MIT

import ApusJPEG
import Media

/// The coded data of a JPEG are whole or damaged, whatever the pieces in which they come, and damage is at one of its bytes.
func fuzz(_ bytes: [UInt8]) throws {
  let damage = try damage(in: bytes, piece: bytes.count)
  try expect(damage == damage(in: bytes, piece: 7), "pieces make another damage")
  if let damage {
    try expect(damage.offset <= bytes.count, "the damage is beyond the end: \(damage)")
  }
}

private func damage(in bytes: [UInt8], piece: Int) throws -> JPEGDamage? {
  var place = 0
  return try JPEGDamage { (most: Int) throws(MediaError) -> [UInt8] in
    let end = min(place + min(most, piece), bytes.count)
    defer { place = end }
    return Array(bytes[place..<end])
  }
}
