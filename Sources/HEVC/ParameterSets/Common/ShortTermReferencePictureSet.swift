// SPDX-License-Identifier: MIT

public import ApusBytes

/// The nearby pictures that may be referred to (`st_ref_pic_set()`): ITU-T H.265, 7.3.7.
public struct ShortTermReferencePictureSet: Blank, Hashable, Sendable {
  public var interRefPicSetPredictionFlag = false
  public var deltaIdxMinus1: UInt8 = 0
  public var deltaRPSSign = false
  public var absDeltaRPSMinus1: UInt16 = 0
  public var predicted: [Predicted] = []
  public var numNegativePics: UInt8 = 0
  public var numPositivePics: UInt8 = 0
  public var negative: [Neighbour] = []
  public var positive: [Neighbour] = []

  public init() {}

  /// The use of one picture of the set that this one is predicted from.
  public struct Predicted: Blank, Hashable, Sendable {
    public var usedByCurrPicFlag = false
    public var useDeltaFlag = true
    public init() {}
  }

  /// A picture by its distance from the previous one in the set.
  public struct Neighbour: Blank, Hashable, Sendable {
    public var deltaPOCMinus1: UInt16 = 0
    public var usedByCurrPicFlag = false
    public init() {}
  }

  /// The resolved sets in sequence, which are needed for prediction.
  struct Known {
    var deltas: [ReferencePictureDeltas] = []
  }

  /// - Parameters:
  ///   - index: the value of `stRpsIdx`.
  ///   - count: the value of `num_short_term_ref_pic_sets`, which is also the index of the set in a slice segment
  ///     header.
  mutating func syntax<V: SyntaxVisitor>(
    _ v: inout V, index: Int, count: Int, known: Known, limit: UInt8
  ) throws(SyntaxError) {
    if index != 0 {
      try v.flag("inter_ref_pic_set_prediction_flag", &interRefPicSetPredictionFlag)
    }
    if interRefPicSetPredictionFlag {
      if index == count {
        try v.ue("delta_idx_minus1", &deltaIdxMinus1, in: 0...UInt8(clamping: index - 1))
      }
      try v.flag("delta_rps_sign", &deltaRPSSign)
      try v.ue("abs_delta_rps_minus1", &absDeltaRPSMinus1, in: 0...32767)
      guard let reference = reference(at: index, in: known) else {
        throw v.failure(.invalid, "delta_idx_minus1", "names a set that is not there")
      }
      try v.list("predicted", &predicted, count: reference.count + 1) {
        picture, v throws(SyntaxError) in
        try v.flag("used_by_curr_pic_flag", &picture.usedByCurrPicFlag)
        if !picture.usedByCurrPicFlag { try v.flag("use_delta_flag", &picture.useDeltaFlag) }
      }
    } else {
      try v.ue("num_negative_pics", &numNegativePics, in: 0...limit)
      try v.ue("num_positive_pics", &numPositivePics, in: 0...(limit - numNegativePics))
      try v.list("negative", &negative, count: Int(numNegativePics)) {
        picture, v throws(SyntaxError) in
        try v.ue("delta_poc_s0_minus1", &picture.deltaPOCMinus1, in: 0...32767)
        try v.flag("used_by_curr_pic_s0_flag", &picture.usedByCurrPicFlag)
      }
      try v.list("positive", &positive, count: Int(numPositivePics)) {
        picture, v throws(SyntaxError) in
        try v.ue("delta_poc_s1_minus1", &picture.deltaPOCMinus1, in: 0...32767)
        try v.flag("used_by_curr_pic_s1_flag", &picture.usedByCurrPicFlag)
      }
    }
  }

  private func reference(at index: Int, in known: Known) -> ReferencePictureDeltas? {
    let reference = index - Int(deltaIdxMinus1) - 1
    return known.deltas.indices.contains(reference) ? known.deltas[reference] : nil
  }

  /// Returns the pictures that the set refers to: 7.4.8, (7-61) to (7-70).
  func deltas(at index: Int, known: Known) -> ReferencePictureDeltas {
    guard interRefPicSetPredictionFlag else {
      return ReferencePictureDeltas(negative: negative, positive: positive)
    }
    guard let reference = reference(at: index, in: known) else { return ReferencePictureDeltas() }
    let delta = (deltaRPSSign ? -1 : 1) * (Int(absDeltaRPSMinus1) + 1)
    return reference.shifted(by: delta, predicted)
  }
}
