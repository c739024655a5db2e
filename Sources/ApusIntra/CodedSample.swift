// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HEVC

/// The coded data of one picture in a sample: its slices, the parameter sets that they refer to, and the hash of its
/// samples.
struct CodedSample {
  private(set) var slices: [CodedSlice] = []
  private(set) var sps = SequenceParameterSet()
  private(set) var pps = PictureParameterSet()
  private(set) var hash: DecodedPictureHash?
  /// The first parameter set that could not be read.
  private var unreadable: SyntaxError?

  /// - Parameters:
  ///   - sets: the parameter sets of the configuration record.
  ///   - unreadable: the error of a set in the record that could not be read.
  init(
    _ sample: [UInt8], lengthSize: Int, _ sets: ParameterSets, unreadable: SyntaxError? = nil
  ) throws(MediaError) {
    self.unreadable = unreadable
    do throws(SyntaxError) {
      try read(sample, lengthSize, sets)
    } catch {
      throw refusal(error)
    }
    guard !slices.isEmpty else { throw MediaError(.incomplete, "has no picture") }
    guard let slice = slices.first(where: { $0.header.sliceType != .i }) else { return }
    // 7.4.7.1: a picture with which decoding may begin is predicted only from itself.
    let refersToItself = pps.extensions.screenContent.ppsCurrPicRefEnabledFlag
    guard !slice.header.header.nalUnitType.isIRAP || refersToItself else {
      throw MediaError(
        .corrupt,
        "cannot be decoded: a slice of a picture that stands alone is of type "
          + slice.header.sliceType.name)
    }
    throw MediaError(codedWith: "inter prediction")
  }

  /// Returns the error to report: corrupt for damage, unsupported for forms that other decoders may support. A set that
  /// is referred to but missing is damage, unless a set of an unsupported form was skipped.
  private func refusal(_ error: SyntaxError) -> MediaError {
    guard error.kind == .unsupported else { return MediaError(.corrupt, "\(error)") }
    guard error.field == "slice_pic_parameter_set_id" else {
      return MediaError(.unsupported, "\(error)")
    }
    guard let unreadable else { return MediaError(.corrupt, "\(error)") }
    return MediaError(
      unreadable.kind == .unsupported ? .unsupported : .corrupt,
      "has a parameter set that cannot be read: \(unreadable.message)")
  }

  private mutating func read(_ sample: [UInt8], _ lengthSize: Int, _ sets: ParameterSets)
    throws(SyntaxError)
  {
    var sets = sets
    for range in try LengthPrefixed.units(in: sample.span, lengthSize: lengthSize)
    where range.count >= NALUnitHeader.size {
      let header = NALUnitHeader(sample[range.lowerBound], sample[range.lowerBound + 1])
      guard header.nuhLayerID == 0 else { continue }
      try header.checkTemporalID()
      let type = header.nalUnitType
      if type.isParameterSet {
        let unit = Array(sample[range])
        if !sets.add(nalUnit: unit) { unreadable = unreadable ?? ParameterSets.failure(of: unit) }
      } else if type == .suffixSEI {
        // Unreadable messages are ignored.
        let messages = NALUnit<SupplementalInformation>(Array(sample[range])).payload
        hash = hash ?? messages?.first(DecodedPictureHash.self)
      } else if type.isSliceSegment {
        try add(Array(sample[range]), at: range.lowerBound, sets)
      }
    }
  }

  private mutating func add(_ unit: [UInt8], at offset: Int, _ sets: ParameterSets)
    throws(SyntaxError)
  {
    let segment = try SliceSegment(unit, sets: sets)
    var slice = segment.slice
    func failure(_ kind: SyntaxError.Kind, _ field: String, _ detail: String) -> SyntaxError {
      SyntaxError(kind, field: field, offset: offset, detail: detail)
    }
    if slice.dependentSliceSegmentFlag {
      guard let last = slices.last else {
        throw failure(
          .invalid, "dependent_slice_segment_flag", "depends on a slice that is not there")
      }
      slice.sliceType = last.header.sliceType
    }
    guard let pps = slice.pictureParameterSet, let sps = slice.sequenceParameterSet else {
      throw failure(.invalid, "slice_pic_parameter_set_id", "names a set that is not there")
    }
    guard slices.isEmpty || !slice.firstSliceSegmentInPicFlag else {
      throw failure(.invalid, "first_slice_segment_in_pic_flag", "begins a second picture")
    }
    if slices.isEmpty { (self.sps, self.pps) = (sps, pps) }
    guard self.pps.ppsPicParameterSetID == pps.ppsPicParameterSetID || self.pps == pps else {
      throw failure(.invalid, "slice_pic_parameter_set_id", "changes within a picture")
    }
    slices.append(try Self.unescaped(unit, from: segment.headerSize, slice))
  }

  /// Returns slice data without emulation prevention bytes: 7.3.1.1. Throws for byte sequences that 7.4.2 forbids
  /// anywhere in a unit, except for a few trailing zeros.
  private static func unescaped(_ bytes: [UInt8], from start: Int, _ header: SliceSegmentHeader)
    throws(SyntaxError) -> CodedSlice
  {
    var removed: [Int] = []
    let source = bytes.span
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count - start)
    var from = start
    var index = start + 2
    while index < source.count {
      let byte = source[index]
      // A byte above 3 is neither an emulation prevention byte nor one of the zeros before it.
      if byte > 3 {
        index += 3
      } else if byte > 0, source[index - 1] == 0, source[index - 2] == 0 {
        guard byte == 3, index + 1 == source.count || source[index + 1] <= 3 else {
          throw SyntaxError(
            .invalid, field: "slice_segment_data", offset: index,
            detail: "holds \(byte == 3 ? "00 00 03 before more than 3" : "00 00 0\(byte)")")
        }
        kept += bytes[from..<index]
        removed.append(index - start)
        from = index + 1
        index += 3
      } else {
        index += 1
      }
    }
    kept += bytes[from...]
    return CodedSlice(header: header, data: kept, removed: removed)
  }
}

extension ParameterSets {
  /// Returns the error that makes a sequence or picture parameter set unreadable; `nil` if it can be read.
  static func failure(of unit: [UInt8]) -> SyntaxError? {
    switch NALUnitHeader(of: unit)?.nalUnitType {
    case .sps: NALUnit<SequenceParameterSet>(unit).failure
    case .pps: NALUnit<PictureParameterSet>(unit).failure
    default: nil
    }
  }
}
