// SPDX-License-Identifier: MIT

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
}
