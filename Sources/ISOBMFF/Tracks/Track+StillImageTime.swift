// SPDX-License-Identifier: MIT

internal import ApusBytes

extension Track {
  /// The time in the video of a Live Photo at which its picture was taken, in microseconds of presentation time: the
  /// time of the first sample of a track with `com.apple.quicktime.still-image-time`. `nil` for any other track.
  public var stillImageTime: Int? {
    // Hardly any track has one, and an entry is a large value.
    guard hasTimedMetadata else { return nil }
    let key = Array("com.apple.quicktime.still-image-time".utf8)
    let isStill = sampleEntries.contains { entry in
      entry.type == "mebx"
        && entry.located.child("keys")?.children.contains {
          $0.box(at: "keyd", as: MetadataKeyDeclaration.self)?.value == key
        } == true
    }
    guard isStill, timescale > 0 else { return nil }
    var cursor = samples()
    guard let sample = try? cursor.next(), let start = try? presentationStart() else { return nil }
    let seconds = start + Double(sample.compositionTime) / Double(timescale)
    return seconds >= 0 && seconds < 1e6 ? Int((seconds * 1e6).rounded()) : nil
  }

  private var hasTimedMetadata: Bool {
    let entries = sampleEntries.span
    for index in entries.indices where entries[index].type == "mebx" { return true }
    return false
  }
}
