// SPDX-License-Identifier: MIT

public import ApusSamples

extension MediaInput {
  /// Keeps only the selected tracks, in their order in the input.
  ///
  /// - Returns: the names of the others.
  public mutating func choose(_ selection: TrackSelection) throws -> [String] {
    guard !selection.isEverything else { return [] }
    let tracks = source.tracks
    let indices = try selection.indices(in: tracks)
    let names = tracks.names
    source = SelectedSource(source, indices: indices)
    return tracks.indices.filter { !indices.contains($0) }.map { names[$0] }
  }
}
