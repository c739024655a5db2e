// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC
internal import ISOBMFF

/// The sample entry of another movie, on its way into this one: all of its boxes are kept, except for the record of
/// HEVC, which depends on what was done with the parameter sets in the samples.
struct KeptEntry: Sendable {
  private let node: Node
  private let isQuickTime: Bool
  private let isFullRange: Bool
  private let isNumbered: Bool

  /// Returns `nil` where the format came from no movie, or changed since.
  init?(_ format: CodedTrack.Format, of track: CodedTrack) throws {
    var found: Node?
    for entry in track.details.sampleEntries where found == nil {
      if try entry.format.isSame(as: format) { found = entry.node }
    }
    guard let found, let movie = track.details.movie, found.isCarriable else { return nil }
    node = found
    isNumbered =
      if case .other(let code, _) = format { VideoEntry.numbered.contains(code) } else { false }
    isQuickTime = movie.isQuickTime
    isFullRange = track.picture.colour?.isFullRange ?? false
  }

  /// Returns the reason why the entry cannot be in a movie of this style, or `nil`.
  func refusal(in style: MovieStyle) -> String? {
    guard style == .mp4, isQuickTime, let sound = node.box as? AudioSampleEntry else { return nil }
    if let form = PCMForm(node) { return form.refusal }
    let hasForm = sound.sound.entryVersion != 0 || sound.boxes.contains { $0.type == "wave" }
    return hasForm || Self.quickTimeSound.contains(node.type)
      ? "has a sample entry that only QuickTime files (mov) support" : nil
  }

  /// Returns whether ISO files have another entry for these pictures: one with a number (`ObjectType`).
  func isRenamed(in style: MovieStyle) -> Bool {
    style == .mp4 && isQuickTime && node.box is VisualSampleEntry && node.type != "mp4v"
      && isNumbered
  }

  /// Uncompressed sound, for which ISO files have another entry.
  private static let quickTimeSound: Set<FourCC> = ["twos", "sowt", "lpcm", "NONE", "raw "]

  /// Returns the entry as it was read, except for what has another form in this style, with its data reference pointing
  /// to the file itself.
  func node(in style: MovieStyle) throws -> Node {
    var result = node
    if style == .mp4, isQuickTime, let form = PCMForm(node) { return form.entry }
    if var entry = node.box as? any SampleEntry {
      if entry.start.dataReferenceIndex != 1 {
        entry.start.dataReferenceIndex = 1
        result.box = entry
      }
      // Boxes stay as they were read unless one changes.
      if style == .mp4, entry is VisualSampleEntry {
        for (index, child) in result.children.enumerated() {
          if let colour = isoColour(child) { result.children[index] = colour }
        }
      }
      return result
    }
    guard case .opaque(let body, let reason) = node.content, body.count >= 8 else { return node }
    var bytes = try body.bytes()
    guard bytes[6] != 0 || bytes[7] != 1 else { return node }
    (bytes[6], bytes[7]) = (0, 1)
    return Node(header: node.header, content: .opaque(Extent(bytes), reason))
  }

  /// Returns the entry with another type and another record.
  ///
  /// - Parameter hasOtherSets: whether samples have parameter sets that the record does not have.
  func node(_ record: Node, hasOtherSets: Bool, in style: MovieStyle) throws -> Node {
    var result = try node(in: style)
    guard let place = result.children.firstIndex(where: { $0.type == record.type }) else {
      throw MediaError(.unsupported, of: .part("\(node.type)"), "has no \(record.type)")
    }
    let old = (result.children[place].box as? HEVCConfiguration)?.record
    let new = (record.box as? HEVCConfiguration)?.record
    let isSame = try old == new ? true : old?.bytes() == new?.bytes()
    if !isSame { result.children[place] = record }
    let isDolby = ["dvh1", "dvhe"].contains(result.type)
    let isExclusive = result.dolbyVision?.isExclusive ?? false
    let type = VideoEntry.type(isExclusive: isDolby || isExclusive, hasOtherSets: hasOtherSets)
    if result.type != type { result.header.type = type }
    return result
  }

  /// Returns QuickTime's `nclc` box as `nclx`; `nil` for every other box.
  private func isoColour(_ node: Node) -> Node? {
    guard var colour = node.box as? ColourInformation, colour.colourType == "nclc" else {
      return nil
    }
    colour.colourType = "nclx"
    colour.fullRangeFlag = isFullRange
    return Node("colr", colour)
  }
}
