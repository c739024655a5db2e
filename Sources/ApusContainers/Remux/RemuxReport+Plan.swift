// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples

extension RemuxReport {
  /// Adds the tracks that the target holds, and those that are left out.
  ///
  /// - Returns: the indices of the tracks that the target holds.
  /// - Throws: `MediaError` if it holds no track, or not the video.
  mutating func add(
    _ tracks: [CodedTrack], of source: any SampleSource & Sendable, _ options: RemuxJob.Options
  ) throws -> [Int] {
    let (names, namesThen) = (source.tracks.names, tracks.names)
    var kept: [Int] = []
    let named = source.details.chapters.isEmpty ? [] : tracks.chapterNames
    for (index, reason) in RemuxJob.refusals(of: tracks, options).enumerated() {
      // Chapters are carried over, or reported, separately.
      if options.target.isMuxed, named.contains(index) { continue }
      if let reason {
        leftOut.append((names[index], reason))
      } else {
        kept.append(index)
        self.tracks.append(Track(name: namesThen[index], kind: tracks[index].kind))
      }
    }
    let hadVideo = tracks.contains { $0.kind == .video }
    guard !kept.isEmpty, !hadVideo || kept.contains(where: { tracks[$0].kind == .video }) else {
      let reasons = leftOut.map { "\($0.name) \($0.reason)" }
      throw MediaError(
        .unsupported, of: .input,
        "cannot be written as \(options.target.rawValue): "
          + reasons.joined(separator: "; "))
    }
    return kept
  }

  /// Adds the warnings of the input that no longer apply, because the target keeps the sample entries or edit lists.
  mutating func addSettled(_ tracks: [CodedTrack], _ target: RemuxTarget) {
    guard target.isMovie || target == .hevc else { return }
    for case let movie? in tracks.map(\.details.movie) {
      settled += movie.entryLosses
      if target.isMovie, target != .fmp4, movie.edits != nil { settled += movie.editLosses }
    }
  }

  /// Adds the attachments that are left out. The warnings of the input about attachments no longer apply.
  mutating func add(_ attachments: [Attachment], _ target: RemuxTarget) {
    for attachment in attachments {
      if let warning = attachment.warning { settled.append(warning) }
      let isKept = target == .mkv || target.isMovie && attachment.isInBoxes
      if isKept { continue }
      leftOut.append(("attachment \(attachment.name)", "cannot be stored in \(target.title)"))
    }
  }
}

extension [CodedTrack] {
  /// The tracks that contain nothing but the names of chapters.
  fileprivate var chapterNames: Set<Int> {
    Set(flatMap { $0.details.references.filter { $0.type == "chap" }.flatMap(\.tracks) })
  }
}
