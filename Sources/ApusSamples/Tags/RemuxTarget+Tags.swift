// SPDX-License-Identifier: MIT

internal import FLV
public import ISOBMFF

extension RemuxTarget {
  /// Returns whether it has a place for a tag.
  public func holds(_ change: TagChange) -> Bool {
    switch self {
    case .mp4, .mov, .fmp4, .mkv, .webm: true
    // Stored as the name of its program.
    case .ts: change.name.lowercased() == "title"
    case .flv: AMFObject.isTag(change.name)
    case .hevc, .hls: false
    }
  }
}
