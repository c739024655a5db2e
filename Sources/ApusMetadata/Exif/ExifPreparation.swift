// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Prepares the Exif of an output from that of its source.
struct ExifPreparation {
  private(set) var exif: [UInt8]?
  private(set) var warnings: [String] = []
  private let choices: MetadataChoices

  init(_ source: [UInt8]?, for choices: MetadataChoices) {
    self.choices = choices
    let source = choices.strip == .all ? nil : source.map(ExifReader.withoutIdentifier)
    do throws(SyntaxError) {
      try prepare(source.flatMap { $0.isEmpty ? nil : $0 })
    } catch {
      // Exif that was read can always be written; if that ever fails, the source is kept.
      warnings.append("Exif was not changed: \(error)")
      exif = choices.strip == .nothing ? source : nil
    }
  }

  private mutating func prepare(_ source: [UInt8]?) throws(SyntaxError) {
    guard let source else { return try makeMinimal() }
    let found: ExifEditor
    do throws(SyntaxError) {
      found = try ExifEditor(source)
    } catch {
      return try replaceUnreadable(source, error.description)
    }
    guard found.tree.index(of: .image(0)) != nil else {
      let problem = found.tree.problems.first?.text ?? "it has no directory"
      return try replaceUnreadable(source, problem)
    }
    try edit(found)
  }

  private mutating func edit(_ found: ExifEditor) throws(SyntaxError) {
    var editor = found
    note(found.tree.problems)
    if choices.strip == .gps { try editor.removeLocation() }
    let turned = ExifReader.orientation(of: found.bytes) ?? 1 != choices.orientation
    try editor.setOrientation(choices.orientation)
    try editor.setSize(width: choices.width, height: choices.height)
    if let thumbnail = choices.thumbnail { try add(thumbnail, to: &editor) }
    if choices.target == .jpeg, editor.bytes.count > JPEGSegment.exifCapacity {
      try editor.dropPreviews(toFit: JPEGSegment.exifCapacity)
      let count = JPEGSegment.exifSegments(editor.bytes).count
      if count > 1 {
        warnings.append(
          "Exif of \(editor.bytes.count) bytes is split into \(count) JPEG segments; exiftool joins them,"
            + " but some programs read only the first")
      }
    }
    if choices.thumbnail == nil, turned, editor.hasThumbnail {
      warnings.append(
        "the Exif thumbnail is not rotated with the picture; a new one would be")
    }
    exif = editor.bytes
    warnings += editor.warnings
  }

  /// Adds a thumbnail, unless it would make Exif larger than a segment.
  private func add(_ thumbnail: [UInt8], to editor: inout ExifEditor) throws(SyntaxError) {
    try editor.addThumbnail(
      thumbnail, orientation: choices.orientation,
      capacity: choices.target == .jpeg ? JPEGSegment.exifCapacity : .max)
  }

  private mutating func makeMinimal() throws(SyntaxError) {
    let thumbnail = choices.strip == .all ? nil : choices.thumbnail
    guard choices.orientation != 1 || thumbnail != nil else { return }
    var editor = try ExifEditor.minimal(orientation: choices.orientation)
    if let thumbnail { try add(thumbnail, to: &editor) }
    exif = editor.bytes
    warnings += editor.warnings
  }

  /// Handles unreadable Exif, which is kept unless something must be set or removed.
  private mutating func replaceUnreadable(_ source: [UInt8], _ problem: String)
    throws(SyntaxError)
  {
    if choices.strip == .gps || choices.orientation != 1 || choices.thumbnail != nil {
      warnings.append("Exif cannot be read and was left out: \(problem)")
      return try makeMinimal()
    }
    warnings.append("Exif cannot be read and was not changed: \(problem)")
    exif = source
  }

  /// Warns about broken parts in which something to change may have been.
  private mutating func note(_ problems: [TIFFTree.Problem]) {
    let problem = problems.first { problem in
      switch problem.role {
      case .image(0), .exif: true
      case .gps: choices.strip == .gps
      default: false
      }
    }
    if let problem { warnings.append("Exif is damaged: \(problem.text); the rest was kept") }
  }
}
