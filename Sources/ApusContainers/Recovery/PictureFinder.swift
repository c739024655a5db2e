// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusSamples
internal import HEVC

/// Finds access units of HEVC or H.264 by their NAL units.
struct PictureFinder: Sendable {
  /// An access unit, and the order of its picture.
  struct Picture {
    var range: Range<Int>
    var isSync: Bool
    var orderCount: Int
    /// Whether all pictures before it are shown before it.
    var startsSequence: Bool
    /// The finder for the access units after it.
    fileprivate(set) var orders: Orders
    fileprivate let sliceCount: Int
  }

  /// The state from which the order of the next picture follows.
  enum Orders: Sendable {
    case hevc(PictureOrderReader)
    case avc(AVCPictureOrderCounter)
  }

  let syntax: UnitSyntax
  /// The number of bytes in the length before each NAL unit.
  let lengthSize: Int
  /// The maximum plausible size of a NAL unit.
  let mostUnitBytes: Int
  private var orders: Orders
  /// The number of slices that each picture so far has; 0 if they differ, `nil` before the first.
  private var usualSlices: Int?

  /// Returns `nil` for formats without NAL units.
  ///
  /// - Parameters:
  ///   - types: types of NAL units that occur in such a track.
  ///   - mostUnitBytes: the maximum plausible size of a NAL unit.
  init?(
    _ format: CodedTrack.Format, types: Set<UInt8> = [], mostUnitBytes: Int, limits: Limits
  ) throws {
    switch format {
    case .hevc(let record):
      var reader = PictureOrderReader(limits: limits, startsAnywhere: true)
      reader.add(record)
      let sets = Self.videoSets(of: record, limits)
      syntax = .hevc(
        layers: (sets.map(\.vpsMaxLayersMinus1).max() ?? 0) + 1,
        subLayers: (sets.map(\.vpsMaxSubLayersMinus1).max() ?? 6) + 1)
      orders = .hevc(reader)
    case .avc(let bytes):
      var counter = AVCPictureOrderCounter()
      counter.add(try AVCConfiguration(bytes))
      (syntax, orders) = (.avc(types: types), .avc(counter))
    case .aac, .other: return nil
    }
    lengthSize = format.lengthSize
    self.mostUnitBytes = mostUnitBytes
  }

  /// Returns the access unit at an offset; `nil` if there is none, or if the file ends inside it.
  func picture(at offset: Int, in window: inout SearchWindow) throws -> Picture? {
    guard case .whole(let units) = try accessUnit(at: offset, in: &window),
      let picture = try order(of: units)
    else { return nil }
    for unit in units where try !unit.isClean(in: window.source) { return nil }
    return picture
  }

  /// Returns whether the file ends inside an access unit that begins at an offset.
  func isCut(at offset: Int, in window: inout SearchWindow) throws -> Bool {
    if case .cut = try accessUnit(at: offset, in: &window) { true } else { false }
  }

  /// The NAL units of an access unit in a file that may end anywhere.
  private enum AccessUnit {
    case whole([CodedUnit])
    case cut, none
  }

  private func accessUnit(at offset: Int, in window: inout SearchWindow) throws -> AccessUnit {
    var units: [CodedUnit] = []
    switch try unit(at: offset, in: &window) {
    case .whole(let first) where syntax.beginsAccessUnit(first.start): units = [first]
    case .cut(let start) where syntax.beginsAccessUnit(start): return .cut
    case .whole, .cut, .none: return .none
    }
    var hasPicture = syntax.isPicture(units[0].start)
    var hasSecondField = false
    search: while units.count < Self.mostUnits {
      let place = units[units.count - 1].range.upperBound
      switch try unit(at: place, in: &window) {
      case .whole(let unit):
        if hasPicture, syntax.beginsAccessUnit(unit.start) {
          guard !hasSecondField, try isSecondField(unit, after: units) else { break search }
          hasSecondField = true
        } else if hasPicture, syntax.isPicture(unit.start) {
          guard try isSamePicture(unit, units) else { break search }
        }
        hasPicture = hasPicture || syntax.isPicture(unit.start)
        units.append(unit)
      case .cut(let start):
        if !hasPicture || !syntax.beginsAccessUnit(start) { return .cut }
        break search
      case .none: break search
      }
    }
    guard hasPicture else { return .none }
    return try endsEarly(units, in: &window) ? .cut : .whole(units)
  }

  /// Returns whether nothing, or nothing but zeros, follows these NAL units, which have fewer slices than each picture before: a
  /// file may end between two slices as well as inside one.
  private func endsEarly(_ units: [CodedUnit], in window: inout SearchWindow) throws -> Bool {
    guard let usualSlices, sliceCount(of: units) < usualSlices, let last = units.last else {
      return false
    }
    return try window.firstNonzero(from: last.range.upperBound) == window.count
  }

  private func sliceCount(of units: [CodedUnit]) -> Int {
    units.count { syntax.isPicture($0.start) }
  }

  /// Returns whether a NAL unit may be at an offset, even one that is cut.
  func isUnit(at offset: Int, in window: inout SearchWindow) throws(SyntaxError) -> Bool {
    if case .none = try unit(at: offset, in: &window) { false } else { true }
  }

  /// Continues after a picture.
  mutating func accept(_ picture: Picture) {
    orders = picture.orders
    usualSlices = usualSlices ?? picture.sliceCount == picture.sliceCount ? picture.sliceCount : 0
  }

  private func unit(at offset: Int, in window: inout SearchWindow) throws(SyntaxError)
    -> CodedUnit.Found
  {
    try CodedUnit.find(
      at: offset, syntax, lengthSize: lengthSize, most: mostUnitBytes, in: &window)
  }

  /// Returns the picture of an access unit; `nil` if its first slice is not valid.
  private func order(of units: [CodedUnit]) throws -> Picture? {
    guard let slice = units.first(where: { syntax.isPicture($0.start) }),
      syntax.startsPicture(slice.start), let last = units.last
    else { return nil }
    let start = units[0].range.lowerBound - lengthSize
    let range = start..<last.range.upperBound
    let bytes = units.map { Array($0.start) }
    let sliceCount = sliceCount(of: units)
    do {
      switch orders {
      case .hevc(var reader):
        guard let picture = try reader.picture(of: bytes) else { return nil }
        return Picture(
          range: range, isSync: picture.isIRAP, orderCount: picture.orderCount,
          startsSequence: picture.startsSequence, orders: .hevc(reader), sliceCount: sliceCount)
      case .avc(var counter):
        counter.add(sets: bytes)
        guard let position = try counter.position(of: bytes) else { return nil }
        let isSync = bytes.contains { $0.avcNALUnitType == .idr || $0.isRecoveryPoint }
        return Picture(
          range: range, isSync: isSync, orderCount: position.count,
          startsSequence: position.startsSequence || position.isDecodingOrder,
          orders: .avc(counter), sliceCount: sliceCount)
      }
    } catch let error as SyntaxError where error.kind != .io {
      return nil
    }
  }

  /// Returns whether a slice belongs to the picture, or to the last field, of these NAL units.
  private func isSamePicture(_ unit: CodedUnit, _ units: [CodedUnit]) throws -> Bool {
    guard let first = units.last(where: { syntax.isPicture($0.start) }) else { return false }
    let sets = units.map { Array($0.start) }
    do throws(SyntaxError) {
      switch orders {
      case .hevc(var reader): return try reader.isSamePicture(sets, unit.start, first.start)
      case .avc(var counter):
        counter.add(sets: sets)
        return try counter.areSlices(Array(first.start), Array(unit.start))
      }
    } catch {
      return false
    }
  }

  /// Returns whether a slice begins the second field of the frame whose first field these NAL units contain.
  private func isSecondField(_ unit: CodedUnit, after units: [CodedUnit]) throws -> Bool {
    guard case .avc(var counter) = orders, syntax.isPicture(unit.start),
      let first = units.first(where: { syntax.isPicture($0.start) })
    else { return false }
    counter.add(sets: units.map { Array($0.start) })
    do throws(SyntaxError) {
      return try counter.areFields(Array(first.start), Array(unit.start))
    } catch {
      return false
    }
  }

  private static func videoSets(of record: DecoderConfigurationRecord, _ limits: Limits)
    -> [VideoParameterSet]
  {
    var sets = ParameterSets()
    for unit in record.arrays.flatMap(\.nalUnits) { sets.add(nalUnit: unit, limits: limits) }
    return Array(sets.videos.values)
  }

  private static let mostUnits = 4096
}

extension [UInt8] {
  /// Whether the NAL unit of H.264 has a message that decoding can begin here: ITU-T H.264, D.1.8.
  fileprivate var isRecoveryPoint: Bool {
    guard avcNALUnitType == .sei else { return false }
    var index = 1
    func number() -> Int {
      var sum = 0
      while index < count {
        sum += Int(self[index])
        index += 1
        if self[index - 1] != 255 { break }
      }
      return sum
    }
    while index + 2 < count {
      let type = number()
      let size = number()
      if type == 6 { return true }
      index += size
    }
    return false
  }
}
