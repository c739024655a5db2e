// SPDX-License-Identifier: MIT

internal import ApusMedia
package import ApusSamples

extension MediaInput {
  /// The source for containers without edit lists: sound alone comes without the frames that a list hides. Next to pictures
  /// it is whole, because hidden pictures are shown, too.
  package var shownSource: any SampleSource & Sendable {
    let hasPictures = source.tracks.contains { $0.kind == .video }
    return kind != .isoBMFF || hasPictures ? source : ShownSoundSource(source)
  }
}
