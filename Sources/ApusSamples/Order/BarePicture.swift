// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// An access unit of a bare stream, with its position in output order from its first slice.
package struct BarePicture: Sendable {
  package var units: [[UInt8]]
  package var isIRAP: Bool
  /// `PicOrderCntVal`.
  package var orderCount: Int
  /// Whether all pictures before it are shown before it (`NoRaslOutputFlag`).
  package var startsSequence: Bool
  package var bounds: OutputOrder.Bounds
  /// Whether it contains parameter sets of the base layer.
  package var hasSets: Bool
}

extension OutputOrder.Bounds {
  /// - Parameter highest: the ordering of the highest sub-layer of a sequence.
  init(_ highest: SubLayerOrdering) {
    reorder = Int(min(highest.maxNumReorderPics, UInt32(OutputOrder.most)))
    if highest.maxLatencyIncreasePlus1 > 0 {
      latency = reorder + Int(highest.maxLatencyIncreasePlus1) - 1
    }
  }
}
