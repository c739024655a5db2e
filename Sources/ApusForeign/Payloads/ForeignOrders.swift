// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusSamples
internal import HEVC

/// Reads the order of pictures from their slices, for streams without the necessary times, and finds missing pictures.
struct ForeignOrders: Sendable {
  /// The reader for HEVC or for AVC, one of which is set.
  private var hevc: PictureOrderReader?
  private var avc: AVCOrders?

  /// Returns `nil` for codecs whose order cannot be read.
  init?(_ codec: String, reorder: Int, limits: Limits) {
    switch codec {
    case "hevc": hevc = PictureOrderReader(limits: limits, checks: true)
    case "h264": avc = AVCOrders(reorder: reorder)
    default: return nil
    }
  }

  /// Adds the parameter sets of a format.
  mutating func add(_ format: CodedTrack.Format) {
    switch format {
    case .hevc(let record): hevc?.add(record)
    case .avc(let record):
      guard let configuration = try? AVCConfiguration(record) else { return }
      avc?.counter.add(configuration)
    default: break
    }
  }

  /// The signs of missing pictures, as text.
  var doubts: [String] { hevc?.doubts ?? avc?.check.words ?? [] }

  /// Returns the order of the next access unit in decoding order; `nil` where it cannot be determined.
  mutating func order(of units: [[UInt8]]) throws -> PictureOrder? {
    if let picture = try hevc?.picture(of: units) {
      return PictureOrder(
        count: picture.orderCount, startsSequence: picture.startsSequence, bounds: picture.bounds)
    }
    return try avc?.order(of: units)
  }
}

private struct AVCOrders {
  var counter = AVCPictureOrderCounter()
  var check = AVCPictureCheck()
  /// The most pictures that may be decoded before one that is shown before them.
  let reorder: Int

  mutating func order(of units: [[UInt8]]) throws -> PictureOrder? {
    guard let position = try counter.position(of: units) else { return nil }
    check.look(at: units, position, counter)
    var bounds = OutputOrder.Bounds()
    bounds.reorder = position.isDecodingOrder ? 0 : min(reorder, OutputOrder.most)
    return PictureOrder(
      count: position.count, startsSequence: position.startsSequence, bounds: bounds)
  }
}
