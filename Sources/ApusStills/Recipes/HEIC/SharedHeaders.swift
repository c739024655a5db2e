// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HEVC

/// The parameter sets of tiles that differ in their picture parameter sets: those of screens skip transforms, those of
/// photos do not. All tiles of a picture share one record, in which each kind of set gets a separate ID.
struct SharedHeaders {
  /// Parameter sets and messages for all tiles.
  private(set) var units: [[UInt8]] = []
  /// The tiles, which refer to their sets.
  private(set) var payloads: [[UInt8]] = []

  /// Combines the headers; tiles that all have the same headers stay unchanged.
  init(_ tiles: [EncodedTile]) throws {
    var kinds: [[[UInt8]]] = []
    for tile in tiles where !kinds.contains(tile.headers) { kinds.append(tile.headers) }
    guard kinds.count > 1 else {
      units = kinds.first ?? []
      payloads = tiles.map(\.payload)
      return
    }
    // The kind with the most tiles keeps its number; among equals, the first one.
    let counts = kinds.map { kind in tiles.count { $0.headers == kind } }
    let main = counts.indices.max { (counts[$0], $1) < (counts[$1], $0) } ?? 0
    units = kinds[main]
    let others = try Self.others(than: kinds[main])
    var numbers = [kinds[main]: UInt8(0)]
    for kind in kinds where kind != kinds[main] {
      guard try Self.others(than: kind) == others else {
        throw MediaError(.corrupt, "tiles of one picture were given different parameter sets")
      }
      let number = UInt8(clamping: numbers.count)
      numbers[kind] = number
      do throws(SyntaxError) {
        for unit in kind where Self.isPictureSet(unit) {
          let read = NALUnit<PictureParameterSet>(unit)
          guard var set = read.payload else { throw read.failure ?? Self.unreadable }
          set.ppsPicParameterSetID = number
          units.append(try NALUnit(read.header, set).bytes())
        }
      } catch {
        throw MediaError(.corrupt, "a picture parameter set cannot be renumbered: \(error)")
      }
    }
    for tile in tiles {
      let number = numbers[tile.headers] ?? 0
      payloads.append(number == 0 ? tile.payload : try Self.renumbered(tile, number))
    }
  }

  private static let unreadable = SyntaxError(
    .invalid, field: "pic_parameter_set_rbsp", detail: "cannot be read")

  private static func isPictureSet(_ unit: [UInt8]) -> Bool {
    NALUnitHeader(of: unit)?.nalUnitType == .pps
  }

  private static func others(than kind: [[UInt8]]) throws -> [[UInt8]] {
    kind.filter { !isPictureSet($0) }
  }

  // MARK: - Slices

  private static func renumbered(_ tile: EncodedTile, _ number: UInt8) throws
    -> [UInt8]
  {
    var sets = ParameterSets()
    for header in tile.headers { _ = sets.add(nalUnit: header) }
    var result: [UInt8] = []
    var rest = tile.payload[...]
    do throws(SyntaxError) {
      while rest.count > 4 {
        let count = Int(bigEndianBytes: rest.prefix(4))
        let unit = Array(rest.dropFirst(4).prefix(count))
        rest = rest.dropFirst(4 + count)
        let isSlice = NALUnitHeader(of: unit)?.nalUnitType.isSliceSegment == true
        let written = isSlice ? try renumbered(unit, sets, number) : unit
        result += (0..<4).map { UInt8(truncatingIfNeeded: written.count >> (24 - 8 * $0)) }
        result += written
      }
    } catch {
      throw MediaError(.corrupt, "a slice cannot be renumbered: \(error)")
    }
    return result
  }

  private static func renumbered(_ unit: [UInt8], _ sets: ParameterSets, _ number: UInt8)
    throws(SyntaxError) -> [UInt8]
  {
    // The set with its new number is also needed, because the header is written with it.
    var sets = sets
    for set in sets.pictures.values {
      var copy = set
      copy.ppsPicParameterSetID = number
      sets.add(copy)
    }
    let segment = try SliceSegment(unit, sets: sets)
    let data = plain(unit).dropFirst(plain(Array(unit.prefix(segment.headerSize))).count)
    var slice = segment.slice
    slice.slicePicParameterSetID = number
    var header = segment.header
    var writer = SyntaxWriter(ArraySink())
    try header.syntax(&writer)
    try slice.syntax(&writer)
    var one = true
    try writer.flag("alignment_bit", &one)
    var zero: UInt8 = 0
    if writer.bitsUntilAligned > 0 { try writer.u(writer.bitsUntilAligned, "zero", &zero) }
    return escaped(writer.sink.bytes + data)
  }

  /// Returns the bytes of a NAL unit without emulation prevention (7.3.1.1).
  private static func plain(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }

  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 64 + 16)
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte <= 3 {
        result.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }
}
