// SPDX-License-Identifier: MIT

import ApusSamples

/// The formats of recordings: those that are one file.
enum RecordingFormat: String, CaseIterable, ArgumentValue {
  case flv, mp4, mov, fmp4, hevc

  var target: RemuxTarget {
    switch self {
    case .flv: .flv
    case .mp4: .mp4
    case .mov: .mov
    case .fmp4: .fmp4
    case .hevc: .hevc
    }
  }
}
