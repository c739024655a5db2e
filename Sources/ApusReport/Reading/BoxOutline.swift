// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusRecords
internal import ISOBMFF

/// Makes the tree of a file: its boxes with their fields and bytes, as much as a page can hold.
struct BoxOutline {
  private let source: any ByteSource
  private var budget = OutlineBudget()
  private var anchors = AnchorNames()
  private var movieTimescale: UInt32 = 0
  private var mediaTimescales: [UInt32: UInt32] = [:]
  private(set) var boxes: [ReportBox] = []

  /// The maximum number of boxes in a box that are all shown.
  private static let most = 96
  private static let first = 64
  private static let last = 16

  var omissions: [String] { budget.sentences }
  var anchorNames: Set<String> { anchors.known }

  init(_ tree: BoxTree, _ movie: Movie) {
    source = tree.source
    movieTimescale = movie.header?.timescale ?? 0
    for track in movie.tracks { mediaTimescales[track.id] = track.timescale }
    boxes = outlines(tree.located, in: "", mediaTimescale: 0)
  }

  private mutating func outlines(
    _ siblings: [LocatedNode], in parent: String, mediaTimescale: UInt32
  ) -> [ReportBox] {
    guard siblings.count > Self.most else {
      return siblings.map { outline($0, in: parent, mediaTimescale) }
    }
    let end = siblings.count - Self.last
    let hidden = siblings[Self.first..<end]
    let start = hidden.first?.node.start ?? 0
    let size = (siblings[end].node.start) - start
    var gap = ReportBox(
      "…", anchor: anchors.name(parent + "/…"), start: start, size: max(0, size))
    gap.kind = .omission
    gap.title = "\(hidden.count) boxes are left out here; apus inspect shows all"
    budget.note(
      "If a box has more than \(Self.most) boxes, the first \(Self.first) and the last \(Self.last) are shown."
    )
    var result = siblings[..<Self.first].map { outline($0, in: parent, mediaTimescale) }
    result.append(gap)
    result += siblings[end...].map { outline($0, in: parent, mediaTimescale) }
    return result
  }

  private mutating func outline(
    _ located: LocatedNode, in parent: String, _ outerTimescale: UInt32
  ) -> ReportBox {
    let node = located.node
    let size = node.extent?.count ?? 0
    let path =
      node.isJunk ? "\(parent.isEmpty ? "" : parent + "/")junk@\(node.start)" : located.path
    let anchor = anchors.name(path)
    var box = ReportBox(
      node.isJunk ? "bytes" : node.type.description, anchor: anchor, start: node.start, size: size)
    let row = node.isJunk ? nil : ClauseTable.boxes[node.type]
    (box.title, box.clause) = (row?.title, row?.clause)
    if let name = node.name {
      box.title = node.type == "uuid" ? name : (box.title.map { $0 + ": " } ?? "") + name
    }
    box.note = Self.note(on: node)
    guard budget.takesBox() else { return box }
    let timescale = mediaTimescale(of: located) ?? outerTimescale
    addFields(to: &box, of: located, timescale)
    if box.children.isEmpty {
      box.children = outlines(located.children, in: path, mediaTimescale: timescale)
    } else {
      box.children += outlines(located.children, in: path, mediaTimescale: timescale)
    }
    return box
  }

  /// Returns the timescale that applies inside the box.
  private func mediaTimescale(of located: LocatedNode) -> UInt32? {
    switch located.node.type {
    case "trak": located.box(at: "mdia", "mdhd", as: MediaHeader.self)?.timescale
    case "traf":
      located.box(at: "tfhd", as: TrackFragmentHeader.self).flatMap { mediaTimescales[$0.trackID] }
    default: nil
    }
  }

  private static func note(on node: Node) -> String? {
    var parts: [String] = []
    switch node.content {
    case .typed: break
    case .lazy: parts.append("media data (not shown)")
    case .opaque(_, .unknown): parts.append("unknown type")
    case .opaque(_, .malformed(let error)): parts.append("cannot be read: \(error.message)")
    case .opaque(_, .notCanonical(let offset)):
      parts.append("would be written differently at byte \(offset)")
    case .junk(_, .terminator): parts.append("terminator")
    case .junk(_, .shortHeader): parts.append("too short for a box")
    case .junk(_, .badSize(let size)):
      parts.append("declares \(size) bytes, fewer than a header has")
    case .junk(_, .limit): parts.append("not read because a limit was reached")
    }
    if node.header.form == .large { parts.append("64-bit size") }
    if node.header.form == .toEnd { parts.append("to the end of the file") }
    if let declared = node.header.declaredSize { parts.append("declares \(declared) bytes") }
    if !node.header.userType.isEmpty { parts.append(Field.uuid(node.header.userType)) }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private mutating func addFields(
    to box: inout ReportBox, of located: LocatedNode, _ timescale: UInt32
  ) {
    let node = located.node
    let meaning = FieldMeaning(
      movieTimescale: movieTimescale, mediaTimescale: timescale, type: node.type.description)
    do throws(SyntaxError) {
      let fields = try node.headerFields() + node.fields()
      let rows = FieldRows(fields) { meaning($0) }.rows
      guard budget.takes(fields: rows.count) else {
        box.note = (box.note.map { $0 + "; " } ?? "") + "its fields are left out"
        return
      }
      box.fields = rows
      box.bytes = try budget.runs(of: rows, from: source, end: node.extent?.upperBound ?? 0)
      addUnits(to: &box, of: located)
    } catch {
      box.note = (box.note.map { $0 + "; " } ?? "") + "its fields cannot be shown: \(error)"
    }
  }

  /// Adds the NAL units in a configuration record, down to the last bit.
  private mutating func addUnits(to box: inout ReportBox, of located: LocatedNode) {
    do throws(SyntaxError) {
      guard let view = try RecordView(in: located) else { return }
      budget.add(view, to: &box, names: &anchors)
    } catch {
      // The record itself is shown, but not the contents of its units.
      return
    }
  }
}

extension BoxOutline {
  /// Adds the NAL units at the beginning of a sample or an item to the box that contains it.
  mutating func add(_ units: [NALUnitOutline], named name: String, at range: Range<Int>) {
    guard !units.isEmpty,
      let index = boxes.firstIndex(where: {
        $0.start <= range.lowerBound && range.lowerBound < $0.start + $0.size && $0.kind == .box
      })
    else { return }
    for var unit in units {
      guard budget.takesBox(), budget.takes(fields: unit.box.fields.count) else { return }
      unit.box.anchor = anchors.name("\(boxes[index].anchor)/\(name)/\(unit.box.type)")
      unit.box.title = [unit.box.title, "of \(name)"].compactMap(\.self).joined(separator: ", ")
      boxes[index].escapes += unit.escapes
      if let runs = try? budget.runs(
        of: unit.box.fields, from: source, end: boxes[index].start + boxes[index].size)
      {
        boxes[index].bytes = OutlineBudget.merged(boxes[index].bytes + runs)
      }
      boxes[index].children.append(unit.box)
    }
  }
}

/// The names of elements on the page, each used once.
struct AnchorNames {
  private(set) var known: Set<String> = []

  mutating func name(_ path: String) -> String {
    let plain = path.asIdentifier
    var name = plain
    var number = 1
    while !known.insert(name).inserted {
      number += 1
      name = "\(plain)~\(number)"
    }
    return name
  }
}
