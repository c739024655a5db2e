// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC
import TestSupport
import Testing

struct NALUnitTests {
  @Test(arguments: VideoParameterSetRows.rows) func `it reads video parameter sets`(_ row: NALRow)
    throws
  {
    try check(row)
  }

  @Test(arguments: SequenceParameterSetRows.rows + SequenceParameterSetFormatRows.rows)
  func `it reads sequence parameter sets`(_ row: NALRow) throws { try check(row) }

  @Test(arguments: PictureParameterSetRows.rows)
  func `it reads picture parameter sets and delimiters`(_ row: NALRow) throws { try check(row) }

  @Test(arguments: SupplementalInformationRows.rows + HandmadeInformationRows.rows)
  func `it reads supplemental information`(_ row: NALRow) throws { try check(row) }

  @Test(arguments: DolbyVisionRows.rows) func `it reads reference processing units`(_ row: NALRow)
    throws
  {
    try check(row)
  }

  @Test(arguments: SliceSegmentRows.rows) func `it reads slice segment headers`(_ row: NALRow)
    throws
  {
    try check(row)
  }

  @Test(arguments: SliceSegmentRows.rows)
  func `it reads the start of a slice, however long the slice is`(_ row: NALRow) throws {
    let type = try #require(row.fields.first { $0.hasPrefix("slice_type=") }?.dropFirst(11))
    let sets = row.parameterSets
    for rest in [0, 5, SliceSegmentHeader.startLength, 1 << 16] {
      let unit = row.bytes + Array(repeating: 0xaa, count: rest)
      let slice = try SliceSegmentHeader(startOf: unit, sets: sets)
      #expect("\(slice.sliceType.rawValue)" == type)
      #expect(slice.header == NALUnitHeader(of: row.bytes))
      #expect(slice.sequenceParameterSet == sets.sequences.values.first)
      #expect(try sets.sequence(ofSlice: unit) == sets.sequences.values.first)
    }
    for count in 0...2 {
      let cut = row.bytes.prefix(count)
      #expect(throws: SyntaxError.self) { try SliceSegmentHeader(startOf: cut, sets: sets) }
      #expect(throws: SyntaxError.self) { try sets.sequence(ofSlice: cut) }
    }
    #expect(try ParameterSets().sequence(ofSlice: row.bytes) == nil)
  }

  @Test(arguments: SliceSegmentRows.rows)
  func `it finds the sets of a slice in whatever order they came, the last of each`(_ row: NALRow)
    throws
  {
    let units = row.sets.map { hex($0) }
    let others = [
      SliceSegmentRows.referenceSets, SliceSegmentRows.weightSets, SliceSegmentRows.sliceSets,
    ].joined().map { hex($0) }
    let expected = try SliceSegment(row.bytes, sets: row.parameterSets).slice
    for order in [units, units.reversed(), others + units, others + units.reversed()] {
      var sets = ParameterSets()
      for unit in order {
        let isRead = sets.add(nalUnit: unit)
        #expect(isRead)
      }
      let slice = try SliceSegment(row.bytes, sets: sets).slice
      #expect(slice.references == expected.references)
      #expect(slice.prediction == expected.prediction)
      #expect(slice.pictureParameterSet == expected.pictureParameterSet)
      // One that came before its video parameter set is not equal to one that came after it.
      #expect(slice.sequenceParameterSet?.format == expected.sequenceParameterSet?.format)
      #expect(slice.sequenceParameterSet?.coding == expected.sequenceParameterSet?.coding)
      #expect(slice.sequenceParameterSet?.vui == expected.sequenceParameterSet?.vui)
    }
  }
}
