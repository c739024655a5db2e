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
  private var orders: PictureOrderReader
  /// Access units before the first with which decoding can begin, and those without a picture.
  private(set) var passedOver = 0

  init(_ bytes: PulledBytes, limits: Limits) {
    accessUnits = AccessUnitReader(bytes, limits: limits)
    orders = PictureOrderReader(limits: limits)
  }

  mutating func next() throws(SyntaxError) -> BarePicture? {
    while let units = try accessUnits.next() {
      if let picture = try orders.picture(of: units) { return picture }
      passedOver += 1
    }
    return nil
  }
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
