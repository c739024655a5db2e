// SPDX-License-Identifier: MIT

public import ApusBytes

extension [UInt8] {
  /// The parameter set without trailing zero bytes, which belong to no NAL unit (ITU-T H.265, 7.4.2.1) and have no
  /// meaning: two sets that differ only in them are equal.
  package var withoutTrailingZeros: ArraySlice<UInt8> {
    self[..<(lastIndex { $0 != 0 } ?? -1).advanced(by: 1)]
  }
}

/// The parameter sets seen so far, keyed by ID, to which slice segment headers and SEI messages refer.
public struct ParameterSets: Sendable {
  /// The video parameter sets, by `vps_video_parameter_set_id`.
  public private(set) var videos: [UInt8: VideoParameterSet] = [:]
  /// The sequence parameter sets, by `sps_seq_parameter_set_id`.
  public private(set) var sequences: [UInt8: SequenceParameterSet] = [:]
  /// The picture parameter sets, by `pps_pic_parameter_set_id`.
  public private(set) var pictures: [UInt8: PictureParameterSet] = [:]
  private var sharedSequences: [UInt8: SliceParameterSets.Sequence] = [:]
  private var sharedPictures: [UInt8: SliceParameterSets.Picture] = [:]
  /// The ID of the sequence parameter set to which the last slice segment or buffering period referred.
  public var activeSequenceID: UInt8?

  public init() {}

  /// The sequence parameter set to which SEI messages without an ID refer.
  public var activeSequence: SequenceParameterSet? {
    if let id = activeSequenceID, let active = sequences[id] { return active }
    return sequences.count == 1 ? sequences.first?.value : nil
  }

  /// Adds a video parameter set, replacing one with the same ID.
  public mutating func add(_ set: VideoParameterSet) { videos[set.vpsVideoParameterSetID] = set }

  /// Adds a sequence parameter set, replacing one with the same ID.
  public mutating func add(_ set: SequenceParameterSet) {
    sequences[set.spsSeqParameterSetID] = set
    sharedSequences[set.spsSeqParameterSetID] = SliceParameterSets.Sequence(set)
  }

  /// Adds a picture parameter set, replacing one with the same ID.
  public mutating func add(_ set: PictureParameterSet) {
    pictures[set.ppsPicParameterSetID] = set
    sharedPictures[set.ppsPicParameterSetID] = SliceParameterSets.Picture(set)
  }

  /// Returns the sets for slices that refer to a picture parameter set; `nil` if one of them was not seen.
  func ofSlices(_ id: UInt8) -> SliceParameterSets? {
    guard let picture = sharedPictures[id],
      let sequence = sharedSequences[picture.set.ppsSeqParameterSetID]
    else { return nil }
    return SliceParameterSets(picture, sequence)
  }

  /// Adds a NAL unit if it contains a parameter set, and returns `false` if that could not be read.
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
