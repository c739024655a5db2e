// SPDX-License-Identifier: MIT

internal import ApusBytes
public import HEVC

/// The facts about a picture in decoding order: its size, and its dependency on others.
public struct FrameFacts: Hashable, Sendable {
  /// The size in bytes.
  public var size: Int
  /// Whether decoding may begin here.
  public var isKey: Bool
  /// The NAL unit type of its first slice in the base layer; `nil` if it has none there.
  public var nalUnitType: NALUnitType?
  /// The slice type: B if any slice is B, else P if any is P.
  public var sliceType: SliceType?

  init(size: Int, isKey: Bool) {
    self.size = size
    self.isKey = isKey
  }

  /// Adds a slice segment of the picture, or its first bytes.
  mutating func add(_ header: NALUnitHeader, _ bytes: [UInt8], _ sets: ParameterSets) {
    guard header.nuhLayerID == 0, header.nalUnitType.isSliceSegment else { return }
    nalUnitType = nalUnitType ?? header.nalUnitType
    guard let type = SliceType(in: bytes, sets) else { return }
    sliceType =
      sliceType.map { SliceType.allInOrder.prefix { $0 != type }.contains($0) ? $0 : type }
      ?? type
  }
}

extension SliceType {
  /// The slice types, the most dependent one first.
  fileprivate static let allInOrder: [SliceType] = [.b, .p, .i]

  /// Reads the type of a slice segment; `nil` for one that takes it over from the previous segment, or has no readable
  /// one.
  fileprivate init?(in bytes: [UInt8], _ sets: ParameterSets) {
    do throws(SyntaxError) {
      let slice = try SliceSegmentHeader(startOf: bytes, sets: sets)
      guard !slice.dependentSliceSegmentFlag else { return nil }
      self = slice.sliceType
    } catch {
      return nil
    }
  }
}

/// The numbers of pictures by type.
public struct PictureCounts: Hashable, Sendable {
  /// The number of I pictures.
  public var intra = 0
  /// The number of P pictures.
  public var predicted = 0
  /// The number of B pictures.
  public var bidirectional = 0
  /// The number of pictures whose slice type could not be read.
  public var unknown = 0
  /// The number of pictures by the type of their first NAL unit.
  public var types: [NALUnitType: Int] = [:]

  /// The number of all counted pictures.
  public var total: Int { intra + predicted + bidirectional + unknown }

  init() {}

  mutating func add(_ picture: FrameFacts) {
    switch picture.sliceType {
    case .i: intra += 1
    case .p: predicted += 1
    case .b: bidirectional += 1
    case nil: unknown += 1
    }
    if let type = picture.nalUnitType { types[type, default: 0] += 1 }
  }
}

extension PictureCounts: Described {
  package static let title = "frame_types"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PictureCounts {
    v.required("looked_at", "The number of pictures that were examined.") { $0.total }
    v.required("I", "Intra pictures.") { $0.intra }
    v.required("P", "Predicted pictures.") { $0.predicted }
    v.required("B", "Bidirectionally predicted pictures.") { $0.bidirectional }
    v.required("unknown", "Pictures whose slices cannot be read.") { $0.unknown }
  }
}

/// The facts of groups of pictures.
struct PictureGroups: Described {
  var keys: Int
  var average: Double?
  var longest: Int
  var types: PictureCounts

  static let title = "groups"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PictureGroups {
    v.required("key_frames", "The number of key frames.") { $0.keys }
    v.optional("gop_average", "The average distance of key frames, in frames.") { $0.average }
    v.required("gop_longest", "The maximum distance of key frames, in frames.") { $0.longest }
    v.required("frame_types", "The types of the first frames.") { $0.types }
  }
}
