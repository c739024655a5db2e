// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

/// The signs in the boxes of a movie that parts of it are missing, although the rest can be read.
struct MovieDoubts {
  private(set) var warnings: [String] = []
  /// The places of media data in the file, without the headers of their boxes.
  private var mediaData: [Range<Int>] = []
  /// Whether the media data may hold anything else than samples.
  private let hasItems: Bool

  init(_ tree: BoxTree) {
    hasItems = tree.located.contains { $0.node.type == "meta" && $0.child("iloc") != nil }
    let errors = tree.findings.filter(Self.matters)
    add(errors.map { "\($0.path) at byte \($0.offset): \($0.message)" })
    let misnamed = tree.misnamed
    add(
      misnamed.map { box, meant in
        "\(box.path) at byte \(box.node.start) has an unknown type and is left out"
          + (meant.map { "; \($0) differs from it in one bit" } ?? "")
      })
    if let moov = tree.located.first(where: { $0.node.type == "moov" }) { addRepeated(in: moov) }
    addFragments(tree)
    addOutermost(tree, besides: Set(misnamed.map(\.box.node.start)))
    for node in tree.boxes where node.type == "mdat" && !node.isJunk {
      guard let extent = node.extent, extent.count > node.header.count else { continue }
      mediaData.append(extent.lowerBound + node.header.count..<extent.upperBound)
    }
  }

  /// Returns whether a finding concerns the boxes that describe the movie.
  private static func matters(_ finding: Finding) -> Bool {
    guard !finding.path.isEmpty else { return false }
    let isText = finding.path.split(separator: "/").contains { $0 == "udta" || $0 == "meta" }
    return finding.severity == .error || finding.rule == "trailing-bytes" && !isText
  }

  private static let most = 8

  private mutating func add(_ more: [String]) {
    warnings += more.prefix(Self.most)
    if more.count > Self.most { warnings.append("and \(more.count - Self.most) more like these") }
  }

  /// Reports repeated boxes of kinds that may occur once. The first is read.
  private mutating func addRepeated(in moov: LocatedNode) {
    var found: [String] = []
    var waiting = [moov]
    while let parent = waiting.popLast() {
      guard let types = Self.single[parent.node.type] else { continue }
      let children = parent.children.filter { !$0.node.isJunk }
      var seen: Set<FourCC> = []
      for child in children where types.contains(child.node.type) {
        guard !seen.insert(child.node.type).inserted else { continue }
        found.append("\(child.path) at byte \(child.node.start) is a duplicate and is left out")
      }
      waiting += children.reversed()
    }
    add(found)
  }

  /// The boxes that may occur at most once in each kind of box: ISO/IEC 14496-12, 6.2.3.
  private static let single: [FourCC: Set<FourCC>] = [
    "moov": ["mvhd", "mvex"], "trak": ["tkhd", "mdia", "edts", "tref"], "edts": ["elst"],
    "mdia": ["mdhd", "hdlr", "minf", "elng"],
    "minf": ["vmhd", "smhd", "hmhd", "nmhd", "sthd", "gmhd", "dinf", "stbl"],
    "stbl": [
      "stsd", "stts", "ctts", "cslg", "stsc", "stsz", "stz2", "stco", "co64", "stss", "sdtp",
    ],
  ]

  /// Reports gaps in the sequence numbers of fragments: ISO/IEC 14496-12, 8.8.5.
  private mutating func addFragments(_ tree: BoxTree) {
    var last: UInt32?
    var gaps: [String] = []
    for located in tree.located where located.node.type == "moof" {
      guard let number = located.box(at: "mfhd", as: MovieFragmentHeader.self)?.sequenceNumber
      else { continue }
      // If numbers do not rise, they are not sequence numbers.
      if let last, number <= last { return }
      if let last, number - last > 1 {
        let missing = last + 2 == number ? "\(last + 1) is" : "\(last + 1) to \(number - 1) are"
        gaps.append("fragments before byte \(located.node.start) have a gap: \(missing) missing")
      }
      last = number
    }
    add(gaps)
  }

  /// Reports boxes outside the movie that are not used.
  ///
  /// - Parameter known: the offsets of boxes that were reported already.
  private mutating func addOutermost(_ tree: BoxTree, besides known: Set<Int>) {
    for node in tree.boxes.filter({ $0.type == "moov" && !$0.isJunk }).dropFirst() {
      warnings.append("a further movie (moov at byte \(node.start)) is left out")
    }
    var others: [String] = []
    for node in tree.boxes {
      guard let extent = node.extent, !extent.isEmpty, !known.contains(node.start) else { continue }
      switch node.content {
      case .typed where Self.beside.contains(node.type):
        others.append("\(node.type) at byte \(node.start), of \(extent.count) bytes, is left out")
      case .junk:
        others.append("\(extent.count) bytes at byte \(node.start) are not a box and are left out")
      case .opaque(_, .unknown):
        others.append(
          "\(node.type) at byte \(node.start), of \(extent.count) bytes, has an unknown type and is "
            + "left out")
      default: break
      }
    }
    add(others)
    // Each fragment may have one.
    let clocks = tree.boxes.count { $0.type == "prft" && !$0.isJunk }
    if clocks > 0 {
      let boxes = clocks == 1 ? "one box" : "\(clocks) boxes"
      warnings.append("the times of day at which it was made (prft, \(boxes)) are left out")
    }
  }

  /// Boxes outside the movie with information that is not in it.
  private static let beside: Set<FourCC> = ["uuid", "emsg", "meta"]

  /// Compares the media data with the places of the samples.
  ///
  /// - Parameters:
  ///   - isWhole: whether the samples of all tracks are known.
  ///   - ranges: returns the places of all samples; called only if they do not cover the media data.
  mutating func compare(
    _ coverage: MediaCoverage, isWhole: Bool, _ ranges: () throws -> [Range<Int>]
  ) rethrows {
    guard coverage != MediaCoverage(mediaData) else { return }
    let gaps = CoverageGaps(between: try ranges(), and: mediaData)
    if gaps.shared > 0 {
      warnings.append("\(gaps.shared) bytes of media data belong to several samples")
    }
    if gaps.outside > 0, !mediaData.isEmpty, !hasItems {
      warnings.append("\(gaps.outside) bytes of samples are not in the media data")
    }
    guard isWhole, !hasItems, gaps.unused > 0 else { return }
    let all = mediaData.reduce(0) { $0 + $1.count }
    warnings.append("\(gaps.unused) of \(all) bytes of media data belong to no sample")
  }
}
