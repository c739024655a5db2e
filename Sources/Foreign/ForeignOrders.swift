// SPDX-License-Identifier: MIT

internal import AVC
internal import Bytes
internal import Flow
internal import HEVC

/// What slices say of the order of their pictures, for streams whose times do not say it, and of pictures that are gone.
enum ForeignOrders: Sendable {
  case hevc(PictureOrderReader)
  case avc(AVCPictureOrderCounter, AVCPictureCheck, reorder: Int)

  /// `nil` for codecs of which it is not read.
  init?(_ codec: String, reorder: Int, limits: Limits) {
    switch codec {
    case "hevc": self = .hevc(PictureOrderReader(limits: limits, checks: true))
    case "h264": self = .avc(AVCPictureOrderCounter(), AVCPictureCheck(), reorder: reorder)
    default: return nil
    }
  }

  /// Takes in the sets of a format.
  mutating func add(_ format: CodedTrack.Format) {
    switch (self, format) {
    case (.hevc(var reader), .hevc(let record)):
      reader.add(record)
      self = .hevc(reader)
    case (.avc(var counter, let check, let reorder), .avc(let record)):
      do {
        counter.add(try AVCConfiguration(record))
      } catch {
        return
      }
      self = .avc(counter, check, reorder: reorder)
    default: break
    }
  }

  /// What shows that pictures are gone, in words.
  var doubts: [String] {
    switch self {
    case .hevc(let reader): reader.doubts
    case .avc(_, let check, _): check.words
    }
  }

  /// Returns the order of the next access unit in decoding order; `nil` where it cannot be determined.
  mutating func order(of units: [[UInt8]]) throws -> PictureOrder? {
    switch self {
    case .hevc(var reader):
      let picture = try reader.picture(of: units)
      self = .hevc(reader)
      return picture.map {
        PictureOrder(
          count: $0.orderCount, startsSequence: $0.startsSequence, bounds: $0.bounds)
      }
    case .avc(var counter, var check, let reorder):
      let position = try counter.position(of: units)
      if let position { check.look(at: units, position, counter) }
      self = .avc(counter, check, reorder: reorder)
      return position.map {
        var bounds = OutputOrder.Bounds()
        bounds.reorder = $0.isDecodingOrder ? 0 : min(reorder, OutputOrder.most)
        return PictureOrder(count: $0.count, startsSequence: $0.startsSequence, bounds: bounds)
      }
    }
  }
}
