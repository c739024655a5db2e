// SPDX-License-Identifier: MIT

package import ApusBytes
package import HEVC

/// Reads the order counts of HEVC pictures, access unit by access unit in decoding order.
package struct PictureOrderReader: Sendable {
  private var sets = ParameterSets()
  private var counter = PictureOrderCounter()
  private var startsSequence = true
  private var hasBegun: Bool
  private var count = 0
  private let limits: Limits

  /// The check for damage; `nil` if there is none.
  private var check: HEVCPictureCheck?

  /// - Parameters:
  ///   - checks: whether to search for signs of missing pictures.
  ///   - startsAnywhere: whether pictures count with which decoding cannot begin yet.
  package init(limits: Limits, checks: Bool = false, startsAnywhere: Bool = false) {
    self.limits = limits
    hasBegun = startsAnywhere
    check = checks ? HEVCPictureCheck() : nil
  }

  /// The signs of damage found, as text.
  package var doubts: [String] { check?.words ?? [] }

  /// Stops checking for damage, for example because another walk checks it.
  package mutating func stopChecking() { check = nil }

  /// Adds parameter sets that are not in the access units.
  package mutating func add(_ record: DecoderConfigurationRecord) {
    for unit in record.arrays.flatMap(\.nalUnits) { sets.add(nalUnit: unit, limits: limits) }
  }

  /// Returns the picture of an access unit; `nil` if it has none, or decoding cannot begin yet.
  package mutating func picture(of units: [[UInt8]]) throws -> BarePicture? {
    var first: (NALUnitHeader, [UInt8])?
    var hasSets = false
    var ends = false
    for unit in units {
      guard let header = NALUnitHeader(of: unit), header.nuhLayerID == 0 else { continue }
      switch header.nalUnitType {
      case .vps, .sps, .pps:
        hasSets = true
        if !sets.add(nalUnit: unit, limits: limits) { check?.add(.set) }
      case .eos, .eob: ends = true
      case let type where type.isVCL: first = first ?? (header, unit)
      default: break
      }
    }
    defer {
      if ends {
        counter.endSequence()
        startsSequence = true
      }
    }
    guard let (header, slice) = first else {
      if hasBegun { check?.add(.empty) }
      return nil
    }
    let type = header.nalUnitType
    hasBegun = hasBegun || (type.isIRAP && !sets.pictures.isEmpty && !sets.sequences.isEmpty)
    guard hasBegun else { return nil }
    let read = try self.slice(slice)
    let starts = type.isIRAP && (type.isIDR || type.isBLA || startsSequence)
    startsSequence = false
    count += 1
    let orderCount = counter.count(of: read)
    check?.look(
      at: units, read, orderCount: orderCount, startsSequence: starts, sets: sets, limits: limits)
    return BarePicture(
      units: units, isIRAP: type.isIRAP, orderCount: orderCount, startsSequence: starts,
      bounds: read.parameterSets?.highestSubLayer.map { OutputOrder.Bounds($0) }
        ?? OutputOrder.Bounds(),
      hasSets: hasSets)
  }

  /// Returns whether a slice segment belongs to the same picture as an earlier one.
  ///
  /// - Parameters:
  ///   - units: the NAL units before it in its access unit, whose parameter sets it may refer to.
  ///   - slice: the NAL unit of the slice segment, or its beginning.
  ///   - first: that of an earlier one.
  package mutating func isSamePicture(
    _ units: [[UInt8]], _ slice: some Collection<UInt8>, _ first: some Collection<UInt8>
  ) throws(SyntaxError) -> Bool {
    for unit in units { sets.add(nalUnit: unit, limits: limits) }
    let first = try SliceSegmentHeader(startOf: first, sets: sets, limits: limits)
    let slice = try SliceSegmentHeader(startOf: slice, sets: sets, limits: limits)
    return first.header == slice.header && !slice.firstSliceSegmentInPicFlag
      && first.slicePicParameterSetID == slice.slicePicParameterSetID
      && slice.sliceSegmentAddress > first.sliceSegmentAddress
  }

  /// Reads the header of a slice, at least as far as its order count.
  private func slice(_ bytes: [UInt8]) throws -> SliceSegmentHeader {
    do throws(SyntaxError) {
      return try SliceSegmentHeader(startOf: bytes, sets: sets, limits: limits)
    } catch {
      throw SyntaxError(
        error.kind, field: error.field, path: "picture \(count + 1)", offset: error.offset,
        detail: error.detail)
    }
  }
}
