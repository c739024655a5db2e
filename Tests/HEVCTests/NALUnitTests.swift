// SPDX-License-Identifier: MIT

import Testing

struct NALUnitTests {
  @Test(arguments: VideoParameterSetRows.rows) func readsVideoParameterSets(_ row: NALRow) throws {
    try check(row)
  }

  @Test(arguments: SequenceParameterSetRows.rows + SequenceParameterSetFormatRows.rows)
  func readsSequenceParameterSets(_ row: NALRow) throws { try check(row) }

  @Test(arguments: PictureParameterSetRows.rows)
  func readsPictureParameterSetsAndDelimiters(_ row: NALRow) throws { try check(row) }

  @Test(arguments: SupplementalInformationRows.rows + HandmadeInformationRows.rows)
  func readsSupplementalInformation(_ row: NALRow) throws { try check(row) }

  @Test(arguments: DolbyVisionRows.rows) func readsReferenceProcessingUnits(_ row: NALRow) throws {
    try check(row)
  }

  @Test(arguments: SliceSegmentRows.rows) func readsSliceSegmentHeaders(_ row: NALRow) throws {
    try check(row)
  }
}
