// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// Reads the presentation order of HEVC pictures, and the pictures to which each may refer: ITU-T H.265, 8.3.1 and
/// 8.3.2.
struct ReferenceReader {
  private(set) var pictures: [Timeline.Picture] = []
  private var counter = PictureOrderCounter()
  private var sets: ParameterSets
  private let lengthSize: Int
  /// The indices of pictures by their current order count.
  private var known: [Int: Int] = [:]
  private var isBroken = false
  /// The number of each picture's sequence: order counts restart at IDR pictures.
  private var sequences: [Int] = []

  static let most = 72
  /// The number of bytes read of a NAL unit, which contain most parameter sets.
  private static let fetched = 512

  init(lengthSize: Int, sets: ParameterSets) {
    self.lengthSize = lengthSize
    self.sets = sets
  }

  var isFull: Bool { isBroken || pictures.count >= Self.most }

  mutating func add(_ sample: Extent) {
    guard !isFull else { return }
    do throws(SyntaxError) {
      try look(into: sample)
    } catch {
      isBroken = true
    }
  }

  private mutating func look(into sample: Extent) throws(SyntaxError) {
    var position = sample.range.lowerBound
    let end = min(sample.range.upperBound, sample.source.count)
    var units = 0
    while position + lengthSize < end, units < 64 {
      units += 1
      let head = try sample.source.bytes(in: position..<position + lengthSize)
      let length = Int(bigEndianBytes: head)
      position += lengthSize
      guard length > 0, length <= end - position else { return }
      let bytes = try sample.source.bytes(in: position..<position + min(length, Self.fetched))
      position += length
      guard let header = NALUnitHeader(of: bytes), header.nuhLayerID == 0 else { continue }
      if (32...34).contains(header.nalUnitType.rawValue), bytes.count == length {
        sets.add(nalUnit: bytes)
      }
      guard header.nalUnitType.isSliceSegment else { continue }
      try add(header, bytes, size: sample.count)
      return
    }
  }

  private mutating func add(_ header: NALUnitHeader, _ bytes: [UInt8], size: Int)
    throws(SyntaxError)
  {
    let slice = try SliceSegmentHeader(startOf: bytes, sets: sets)
    let order = counter.count(of: slice)
    let type = header.nalUnitType
    if type.isIDR || type.isBLA || pictures.isEmpty { known = [:] }
    let deltas = slice.references.deltas
    let orders = (deltas.negative + deltas.positive).filter(\.isUsed).map { order + $0.deltaPOC }
    let place = pictures.count
    let kind: Timeline.PictureType
    if type.isRASL || type.isRADL {
      kind = .leading
    } else {
      kind =
        switch slice.sliceType {
        case .i: .intra
        case .p: .predicted
        case .b: .bidirectional
        }
    }
    sequences.append((sequences.last ?? 0) + (type.isIDR && place > 0 ? 1 : 0))
    pictures.append(
      Timeline.Picture(
        order: order, type: kind, name: type.name, layer: Int(header.temporalID), size: size,
        references: orders.compactMap { known[$0] }, shown: 0))
    known[order] = place
  }

  /// The type of the picture that was examined last; `nil` once no more are examined.
  var lastType: Timeline.PictureType? { isFull ? nil : pictures.last?.type }

  /// Returns the pictures with their indices in presentation order.
  func finished() -> [Timeline.Picture] {
    var result = pictures
    let shown = result.indices.sorted {
      (sequences[$0], result[$0].order) < (sequences[$1], result[$1].order)
    }
    for (place, index) in shown.enumerated() { result[index].shown = place }
    return result
  }
}
