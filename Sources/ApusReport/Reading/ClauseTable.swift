// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The name of each type of box, and its clause in the standard.
struct ClauseTable {
  struct Row {
    var title: String
    var clause: String?
  }

  private var rows: [FourCC: Row] = [:]

  static let boxes = ClauseTable()

  /// Reads the table built into the program, which is generated from the comments of the declarations.
  private init() {
    for line in EmbeddedFile.clauses.text.split(separator: "\n") {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count == 3, let type = FourCC(escapedText: cells[0]) else { continue }
      rows[type] = Row(title: cells[1], clause: cells[2].isEmpty ? nil : cells[2])
    }
  }

  subscript(type: FourCC) -> Row? { rows[type] }

  /// Returns the name and clause of a NAL unit of HEVC: ITU-T H.265, 7.3.2 and 7.3.6.
  static func nalUnit(_ name: String) -> Row? {
    switch name {
    case "VPS_NUT": Row(title: "Video parameter set", clause: "ITU-T H.265, 7.3.2.1")
    case "SPS_NUT": Row(title: "Sequence parameter set", clause: "ITU-T H.265, 7.3.2.2")
    case "PPS_NUT": Row(title: "Picture parameter set", clause: "ITU-T H.265, 7.3.2.3")
    case "PREFIX_SEI_NUT", "SUFFIX_SEI_NUT":
      Row(title: "Supplemental enhancement information", clause: "ITU-T H.265, 7.3.2.4")
    case "AUD_NUT": Row(title: "Access unit delimiter", clause: "ITU-T H.265, 7.3.2.5")
    case "SPS": Row(title: "Sequence parameter set", clause: "ITU-T H.264, 7.3.2.1")
    case "PPS": Row(title: "Picture parameter set", clause: "ITU-T H.264, 7.3.2.2")
    default: nil
    }
  }
}
