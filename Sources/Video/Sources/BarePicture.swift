// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEVC

/// An access unit of a bare stream, and what its first slice says of its order.
struct BarePicture: Sendable {
  var units: [[UInt8]]
  var isIRAP: Bool
  /// `PicOrderCntVal`.
  var orderCount: Int
  /// Whether all pictures before it are shown before it (`NoRaslOutputFlag`).
  var startsSequence: Bool
  var bounds: OutputOrder.Bounds
  /// Whether parameter sets of the base layer stand in it.
  var hasSets: Bool
}

/// The pictures of a bare HEVC stream in decoding order, with their order counts.
struct BarePictureReader: Sendable {
  private var accessUnits: AccessUnitReader
  private var sets = ParameterSets()
  private var counter = PictureOrderCounter()
  private var startsSequence = true
  private var hasBegun = false
  private var count = 0
  /// Access units before the first with which decoding can begin, and those without a picture.
  private(set) var passedOver = 0
  private let limits: Limits

  init(_ bytes: PulledBytes, limits: Limits) {
    accessUnits = AccessUnitReader(bytes, limits: limits)
    self.limits = limits
  }

  mutating func next() throws(SyntaxError) -> BarePicture? {
    while let units = try accessUnits.next() {
      if let picture = try picture(units) { return picture }
      passedOver += 1
    }
    return nil
  }

  private mutating func picture(_ units: [[UInt8]]) throws(SyntaxError) -> BarePicture? {
    var first: (NALUnitHeader, [UInt8])?
    var hasSets = false
    var ends = false
    for unit in units {
      guard let header = NALUnitHeader(of: unit), header.nuhLayerID == 0 else { continue }
      switch header.nalUnitType {
      case .vps, .sps, .pps:
        hasSets = true
        sets.add(nalUnit: unit, limits: limits)
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
    guard let (header, slice) = first else { return nil }
    let type = header.nalUnitType
    hasBegun = hasBegun || (type.isIRAP && !sets.pictures.isEmpty && !sets.sequences.isEmpty)
    guard hasBegun else { return nil }
    let read = try self.slice(slice, header)
    let starts = type.isIRAP && (type.isIDR || type.isBLA || startsSequence)
    startsSequence = false
    count += 1
    return BarePicture(
      units: units, isIRAP: type.isIRAP, orderCount: counter.count(of: read),
      startsSequence: starts, bounds: OutputOrder.Bounds(read.sequenceParameterSet),
      hasSets: hasSets)
  }

  /// The header of a slice, at least as far as its order count.
  private func slice(_ bytes: [UInt8], _ header: NALUnitHeader) throws(SyntaxError)
    -> SliceSegmentHeader
  {
    var reader = SyntaxReader(escaped: Array(bytes.prefix(Self.glance)), limits: limits)
    var slice = SliceSegmentHeader(in: header, sets: sets)
    do throws(SyntaxError) {
      var again = NALUnitHeader()
      try again.syntax(&reader)
      try slice.syntax(&reader)
    } catch {
      // The order count comes long before the end of what was looked at.
      guard error.kind == .truncated, bytes.count > Self.glance else {
        throw SyntaxError(
          error.kind, field: error.field, path: "picture \(count + 1)", offset: error.offset,
          detail: error.detail)
      }
    }
    return slice
  }

  private static let glance = 256
}

extension OutputOrder.Bounds {
  init(_ sequence: SequenceParameterSet?) {
    guard let highest = sequence?.subLayerOrdering.last else { return }
    reorder = Int(min(highest.maxNumReorderPics, UInt32(OutputOrder.most)))
    if highest.maxLatencyIncreasePlus1 > 0 {
      latency = reorder + Int(highest.maxLatencyIncreasePlus1) - 1
    }
  }
}
