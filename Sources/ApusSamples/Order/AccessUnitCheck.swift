// SPDX-License-Identifier: MIT

package import ApusBytes
internal import HEVC

/// Searches a bare HEVC stream, NAL unit by NAL unit, for signs that pictures are missing.
package struct AccessUnitCheck: Sendable {
  private var boundary = AccessUnitBoundary()
  private var orders: PictureOrderReader
  private var units: [[UInt8]] = []
  /// The number of access units with slices that cannot be read.
  private var unreadable = 0

  package init(limits: Limits) { orders = PictureOrderReader(limits: limits, checks: true) }

  /// Adds the next NAL unit of the stream.
  package mutating func add(_ nalUnit: ArraySlice<UInt8>) {
    guard nalUnit.count >= NALUnitHeader.size else { return }
    if boundary.begins(nalUnit) { finish() }
    units.append(Array(nalUnit))
  }

  /// Marks the end of the stream.
  package mutating func finish() {
    guard !units.isEmpty else { return }
    do {
      _ = try orders.picture(of: units)
    } catch {
      unreadable += 1
    }
    units = []
  }

  /// Descriptions of the signs found.
  package var words: [String] {
    let pictures = unreadable == 1 ? "picture has a header" : "pictures have headers"
    return orders.doubts
      + (unreadable > 0 ? ["\(unreadable) \(pictures) that cannot be read"] : [])
  }
}
