// SPDX-License-Identifier: MIT

public import Bytes

extension [UInt8] {
  /// A parameter set without zero bytes after it, which belong to no NAL unit (ITU-T H.265, 7.4.2.1) and change
  /// nothing: two sets that differ in them alone are the same.
  public var withoutTrailingZeros: ArraySlice<UInt8> {
    self[..<(lastIndex { $0 != 0 } ?? -1).advanced(by: 1)]
  }
}

/// The parameter sets seen so far, by their ids: what slice segment headers and SEI messages refer to.
public struct ParameterSets: Sendable {
  public private(set) var videos: [UInt8: VideoParameterSet] = [:]
  public private(set) var sequences: [UInt8: SequenceParameterSet] = [:]
  public private(set) var pictures: [UInt8: PictureParameterSet] = [:]
  private var sharedSequences: [UInt8: SliceParameterSets.Sequence] = [:]
  private var sharedPictures: [UInt8: SliceParameterSets.Picture] = [:]
  /// The id of the sequence parameter set that the last slice segment or buffering period named.
  public var activeSequenceID: UInt8?

  public init() {}

  /// The sequence parameter set that SEI messages without an id of their own refer to.
  public var activeSequence: SequenceParameterSet? {
    if let id = activeSequenceID, let active = sequences[id] { return active }
    return sequences.count == 1 ? sequences.first?.value : nil
  }

  public mutating func add(_ set: VideoParameterSet) { videos[set.vpsVideoParameterSetID] = set }

  public mutating func add(_ set: SequenceParameterSet) {
    sequences[set.spsSeqParameterSetID] = set
    sharedSequences[set.spsSeqParameterSetID] = SliceParameterSets.Sequence(set)
  }

  public mutating func add(_ set: PictureParameterSet) {
    pictures[set.ppsPicParameterSetID] = set
    sharedPictures[set.ppsPicParameterSetID] = SliceParameterSets.Picture(set)
  }

  /// Returns the sets of slices that name a picture parameter set; `nil` where one of them was not seen.
  func ofSlices(_ id: UInt8) -> SliceParameterSets? {
    guard let picture = sharedPictures[id],
      let sequence = sharedSequences[picture.set.ppsSeqParameterSetID]
    else { return nil }
    return SliceParameterSets(picture, sequence)
  }

  /// Takes in a NAL unit if it holds a parameter set, and answers whether that could be read.
  @discardableResult
  public mutating func add(nalUnit bytes: [UInt8], limits: Limits = Limits()) -> Bool {
    switch NALUnitHeader(of: bytes)?.nalUnitType {
    case .vps:
      guard let set = NALUnit<VideoParameterSet>(bytes, limits: limits).payload else {
        return false
      }
      add(set)
    case .sps:
      guard let set = NALUnit<SequenceParameterSet>(bytes, sets: self, limits: limits).payload
      else {
        return false
      }
      add(set)
    case .pps:
      guard let set = NALUnit<PictureParameterSet>(bytes, limits: limits).payload else {
        return false
      }
      add(set)
    default: break
    }
    return true
  }
}
