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
  try checkTurns(bytes)
}

/// What is turned is not damaged, and the way back leads to the same coefficients.
private func checkTurns(_ bytes: [UInt8]) throws {
  guard let plain = try? turned(bytes, by: .upright) else { return }
  for number in 1...8 {
    guard let orientation = Orientation(exif: number),
      let once = try? turned(bytes, by: orientation)
    else { continue }
    try expect(try walked(once, piece: once.count) == nil, "the turned picture is damaged")
    // Restart intervals that are no whole rows are others in a picture with other rows.
    guard !orientation.swapsSides, let back = try? turned(once, by: orientation.inverse) else {
      continue
    }
    try expect(back == plain, "turned back, the picture differs")
  }
}

private func turned(_ bytes: [UInt8], by orientation: Orientation) throws -> [UInt8] {
  try TurnedJPEG(JPEGHeader(bytes), by: orientation, mebibytes: 4) {
    reader(of: bytes, piece: bytes.count)
  }.bytes
}

private func walked(_ bytes: [UInt8], piece: Int) throws -> JPEGDamage? {
  try JPEGDamage(reading: reader(of: bytes, piece: piece))
}

private func reader(of bytes: [UInt8], piece: Int) -> (Int) throws(MediaError) -> [UInt8] {
  var place = 0
  return { most throws(MediaError) in
    let end = min(place + min(most, piece), bytes.count)
    defer { place = end }
    return Array(bytes[place..<end])
  }
}
