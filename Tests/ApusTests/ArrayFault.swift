// SPDX-License-Identifier: MIT

/// What may be wrong about the arrays of a configuration record whose sets are right.
enum ArrayFault: String, CaseIterable {
  case wrongType, unknownType, otherOrder, reservedBit, twoTypesInOne

  /// The file with the fault in its first record, which stands behind its media data.
  func applied(to file: [UInt8]) throws -> [UInt8] {
    let name = try place(of: "hvcC", in: file)
    let start = name + 4 + 23
    var arrays: [[UInt8]] = []
    var next = start
    for _ in 0..<file[start - 1] {
      let count = Int(file[next + 1]) << 8 | Int(file[next + 2])
      var end = next + 3
      for _ in 0..<count { end += 2 + (Int(file[end]) << 8 | Int(file[end + 1])) }
      arrays.append(Array(file[next..<end]))
      next = end
    }
    var file = file
    switch self {
    case .wrongType: arrays[0][0] = arrays[1][0]
    case .unknownType: arrays[2][0] = arrays[2][0] & 0xc0 | 35
    case .otherOrder: arrays.reverse()
    case .reservedBit: arrays[1][0] |= 0x40
    case .twoTypesInOne:
      arrays[1] += arrays.removeLast().dropFirst(3)
      arrays[1][2] += 1
      file[start - 1] -= 1
      for box in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "hvc1", "hvcC"] {
        let last = try place(of: box, in: Array(file[..<start])) - 1
        file[last] &-= 3
        if file[last] > 252 { file[last - 1] -= 1 }
      }
    }
    file.replaceSubrange(start..<next, with: arrays.joined())
    return file
  }

  /// The last place of a name.
  private func place(of name: String, in file: [UInt8]) throws -> Int {
    let name = Array(name.utf8)
    let found = file.indices.dropLast(3).last { file[$0..<$0 + 4].elementsEqual(name) }
    guard let found else { throw Unavailable(String(decoding: name, as: UTF8.self)) }
    return found
  }
}
