// SPDX-License-Identifier: MIT

import ISOBMFF

/// What `heif-info` calls the code points of H.273.
enum HeifColourText {
  /// Returns nothing where one has no name: libheif reads none of them then.
  static func lines(_ colour: ColourInformation) -> [String] {
    guard let primaries = primaries[colour.colourPrimaries],
      let transfer = transfers[colour.transferCharacteristics],
      let matrix = matrices[colour.matrixCoefficients]
    else { return [] }
    let range = colour.fullRangeFlag ? "1 (full)" : "0 (limited)"
    return [
      "colour primaries: \(colour.colourPrimaries) (\(primaries))",
      "transfer characteristics: \(colour.transferCharacteristics) (\(transfer))",
      "matrix coefficients: \(colour.matrixCoefficients) (\(matrix))",
      "full range flag: \(range)",
    ]
  }

  private static let primaries: [UInt16: String] = [
    1: "BT.709", 2: "unspecified", 4: "BT.470 System M", 5: "BT.470 System B/G", 6: "BT.601",
    7: "SMPTE 240M", 8: "generic film", 9: "BT.2020 / BT.2100", 10: "SMPTE ST 428-1",
    11: "SMPTE RP 431-2 (DCI P3)", 12: "SMPTE EG 432-1 (Display P3)", 22: "EBU Tech 3213-E",
  ]

  private static let transfers: [UInt16: String] = [
    1: "BT.709", 2: "unspecified", 4: "BT.470 System M", 5: "BT.470 System B/G", 6: "BT.601",
    7: "SMPTE 240M", 8: "linear", 9: "log 100:1", 10: "log 100*sqrt(10):1", 11: "IEC 61966-2-4",
    12: "BT.1361", 13: "IEC 61966-2-1 (sRGB)", 14: "BT.2020 10-bit", 15: "BT.2020 12-bit",
    16: "BT.2100 PQ", 17: "SMPTE ST 428-1", 18: "BT.2100 HLG",
  ]

  private static let matrices: [UInt16: String] = [
    0: "RGB/GBR", 1: "BT.709", 2: "unspecified", 4: "US FCC T47", 5: "BT.470 System B/G",
    6: "BT.601", 7: "SMPTE 240M", 8: "YCgCo", 9: "BT.2020 NCL", 10: "BT.2020 CL",
    11: "SMPTE ST 2085", 12: "chromaticity-derived NCL", 13: "chromaticity-derived CL",
    14: "ICtCp",
  ]
}
