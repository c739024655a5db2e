// SPDX-License-Identifier: MIT

public import ApusBytes

extension SliceSegmentHeader {
  /// The number of bytes from the start of a NAL unit that are read for the start of a slice header: more than enough
  /// for the fields that determine picture order in any realistic stream.
  public static let startLength = 256

  /// Creates the header of a slice segment from the start of its NAL unit.
  ///
  /// Fields beyond the bytes read have the values of an empty header; the picture order and the slice type come long
  /// before.
  ///
  /// - Parameter start: the NAL unit, or at least the first ``startLength`` bytes of it.
  public init(startOf start: some Collection<UInt8>, sets: ParameterSets, limits: Limits = Limits())
    throws(SyntaxError)
  {
    let bytes = Array(start.prefix(Self.startLength))
    var reader = SyntaxReader(escaped: bytes, limits: limits)
    var header = NALUnitHeader()
    try header.syntax(&reader)
    self.init(in: header, sets: sets)
    do throws(SyntaxError) {
      try syntax(&reader)
    } catch {
      guard error.kind == .truncated, bytes.count == Self.startLength else { throw error }
    }
  }
}

extension ParameterSets {
  /// Returns the sequence parameter set that a slice refers to; `nil` if it is not among these.
  ///
  /// - Parameter start: the NAL unit of the slice, or at least the first ``SliceSegmentHeader/startLength`` bytes of it.
  public func sequence(ofSlice start: some Collection<UInt8>) throws(SyntaxError)
    -> SequenceParameterSet?
  {
    let bytes = Array(start.prefix(SliceSegmentHeader.startLength))
    var reader = SyntaxReader(escaped: bytes)
    var header = NALUnitHeader()
    try header.syntax(&reader)
    var slice = SliceSegmentHeader(in: header, sets: self)
    try slice.reference(&reader)
    return slice.sequenceParameterSet
  }
}
