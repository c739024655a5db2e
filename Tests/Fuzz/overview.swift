// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusMedia
import ApusRecords
import HEIF
import ISOBMFF

/// Of any bytes it can be said what they are; tracks, items and pictures end, with an error at most.
func fuzz(_ bytes: [UInt8]) throws {
  let source = MemorySource(bytes)
  let overview: Overview
  do {
    overview = try Overview(of: source)
  } catch {
    return try expect(MediaError(error).kind == .limit, "the overview fails: \(error)")
  }
  guard overview.kind == .isoBMFF else { return }
  let tree = try BoxTree(reading: source)
  for (track, facts) in zip(Movie(tree).tracks, overview.tracks) {
    var pictures = TrackPictures(of: track, in: source)
    for _ in 0..<min(facts.samples.count, 200) { _ = try pictures.next() }
  }
  let graph = ItemGraph(tree)
  for item in graph.items {
    _ = ItemGeometry(item)
    _ = graph.referrers(to: item.id, by: "dimg")
    _ = try? graph.data(of: item.id, in: source)
  }
}
