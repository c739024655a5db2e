// SPDX-License-Identifier: MIT

internal import AVC
package import ApusBytes
internal import HEVC
package import ISOBMFF

extension RecordView {
  /// Creates the view of the record in a box; `nil` for other boxes.
  package init?(in located: LocatedNode) throws(SyntaxError) {
    let start = located.node.start + located.node.header.count
    switch located.node.box {
    case let box as HEVCConfiguration:
      let headers = StreamHeaders(box.record)
      try self.init(box.record, box.record.arrays, at: start, sets: headers.sets)
    case let box as LayeredHEVCConfiguration:
      let headers = StreamHeaders(box.record.arrays.flatMap(\.nalUnits))
      try self.init(box.record, box.record.arrays, at: start, sets: headers.sets)
    case let box as AVCConfiguration: try self.init(box, at: start)
    default: return nil
    }
  }
}
