// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEVC

/// What slices say of the order of their pictures, for streams whose times do not say it.
enum ForeignOrders: Sendable {
  case hevc(PictureOrderReader)
  case avc(AVCOrderReader, reorder: Int)

  /// `nil` for codecs of which it is not read.
  init?(_ codec: String, reorder: Int, limits: Limits) {
    switch codec {
    case "hevc": self = .hevc(PictureOrderReader(limits: limits))
    case "h264": self = .avc(AVCOrderReader(), reorder: reorder)
    default: return nil
    }
  }

  /// Takes in the sets of a format.
  mutating func add(_ format: CodedTrack.Format) {
    switch (self, format) {
    case (.hevc(var reader), .hevc(let record)):
      reader.add(record)
      self = .hevc(reader)
    case (.avc(var reader, let reorder), .avc(let record)):
      reader.add(record)
      self = .avc(reader, reorder: reorder)
    default: break
    }
  }

  /// Of the next access unit in decoding order; `nil` where it cannot be told.
  mutating func order(of units: [[UInt8]]) throws(SyntaxError) -> PictureOrder? {
    switch self {
    case .hevc(var reader):
      let picture = try reader.picture(of: units)
      self = .hevc(reader)
      return picture.map {
        PictureOrder(
          count: $0.orderCount, startsSequence: $0.startsSequence, bounds: $0.bounds)
      }
    case .avc(var reader, let reorder):
      let order = try reader.order(of: units, reorder: reorder)
      self = .avc(reader, reorder: reorder)
      return order
    }
  }
}
