// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ISOBMFF

/// `apus edit`: changes boxes and fields, and leaves everything else unchanged.
struct Edit: Verb {
  static let name = "edit"
  static let summary = "change boxes and fields, and update sizes and offsets"
  static let discussion = """
    Changes boxes of an MP4, MOV or HEIF file. Sizes and all offsets into the file are updated: chunks (stco \
    becomes co64 if needed), items, fragments and indexes. An edit is refused, and nothing is written, if an \
    offset would point into removed data. Without a change the copy is identical byte for byte.

    PATH and FIELD are written as inspect shows them: moov/trak[1]/tkhd, items[0].item_ID, \
    entries[3].sample_delta. If a path matches several boxes, an index is required. All paths refer to the \
    original file, so the order of edits does not matter. VALUE is written as inspect shows it; hexadecimal \
    numbers start with 0x. The field "type" is the type of any box.

    Several files, or folders with -r, are changed one by one in the same way; a file that cannot be changed \
    is reported. --json prints one line for each file; with --dry-run it lists the bytes that would change as \
    offsets and values, for a server that patches files while sending them.

    Boxes added by --insert are written unchanged, including their offsets. Offsets in boxes added by \
    --replace refer to the original file and are updated.
    """
  static let examples = [
    Example("apus edit movie.mp4 -o copy.mp4", "Writes an identical copy from the box tree."),
    Example(
      "apus edit movie.mp4 --set moov/trak[0]/tkhd/width=1280 --dry-run",
      "Lists the bytes that would change."),
    Example(
      "apus edit movie.mp4 --set moov/trak[0]/mdia/mdhd/language=deu --in-place",
      "Sets the language of the first track; writes two bytes."),
    Example(
      "apus edit movie.mp4 --remove moov/udta -o small.mp4",
      "Removes user data and updates chunk offsets."),
    Example(
      "apus edit photo.heic --extract meta/iprp/ipco/hvcC[0] -o hvcC.bin",
      "Writes one box to a separate file."),
    Example(
      "apus edit movie.mp4 --insert moov=udta.bin --insert-before moov=free.bin -o out.mp4",
      "Inserts boxes at the end of moov and before it."),
  ]

  var inputs = InputOptions()
  var sets: [FieldChange] = []
  var removals: [BoxPath] = []
  var replacements: [FileChange] = []
  var bodies: [FileChange] = []
  var insertions: [FileChange] = []
  var insertionsBefore: [FileChange] = []
  var insertionsAfter: [FileChange] = []
  var extraction: BoxPath?
  var output = EditOutput()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.option("set", "PATH/FIELD=VALUE", &sets, "set a field")
    try v.option("remove", "PATH", &removals, "remove a box")
    try v.option(
      "replace", "PATH=FILE", &replacements, completion: .files,
      "replace a box with the boxes in FILE")
    try v.option(
      "replace-body", "PATH=FILE", &bodies, completion: .files,
      "replace everything after a box's header with the bytes in FILE")
    try v.option(
      "insert", "PATH=FILE", &insertions, completion: .files,
      "insert the boxes in FILE at the end of a box; / is the file")
    try v.option(
      "insert-before", "PATH=FILE", &insertionsBefore, completion: .files,
      "insert the boxes in FILE before a box")
    try v.option(
      "insert-after", "PATH=FILE", &insertionsAfter, completion: .files,
      "insert the boxes in FILE after a box")
    try v.option(
      "extract", "PATH", &extraction, "write the bytes of a box, to -o or standard output")
    try v.group(&output)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    let edits = BoxEdits(inputs, output, limits.limits, console)
    if let extraction { return try extract(extraction, edits) }
    return try edits.run { editor, input, _ in
      for change in changes { input.files.add(change.file) }
      try change(&editor)
    }
  }

  private var changes: [FileChange] {
    replacements + bodies + insertions + insertionsBefore + insertionsAfter
  }

  private func change(_ editor: inout BoxEditor) throws {
    for set in sets { try editor.set(set.field, of: set.path, to: set.value) }
    for change in replacements {
      try editor.replace(try change.box(), with: try change.bytes(limits.limits))
    }
    for change in bodies {
      try editor.replaceBody(try change.box(), with: try change.bytes(limits.limits))
    }
    for change in insertions {
      try editor.insert(
        try change.bytes(limits.limits), at: change.path.map { .into($0) } ?? .file())
    }
    for change in insertionsBefore {
      try editor.insert(try change.bytes(limits.limits), at: .before(try change.box()))
    }
    for change in insertionsAfter {
      try editor.insert(try change.bytes(limits.limits), at: .after(try change.box()))
    }
    for path in removals { try editor.remove(path) }
  }

  private func extract(_ path: BoxPath, _ edits: BoxEdits) throws -> ExitStatus {
    guard changes.isEmpty, sets.isEmpty, removals.isEmpty, !output.inPlace else {
      throw UsageError("--extract cannot be combined with changes")
    }
    var options = output.output
    options.path = options.path ?? "-"
    guard !inputs.several || options.path != "-" else {
      throw UsageError("the boxes of several files need an output folder: -o OUT/")
    }
    return try edits.extract(path, options)
  }
}

extension FileChange {
  /// Returns the path of a box; the file itself is not a box.
  fileprivate func box() throws(UsageError) -> BoxPath {
    guard let path else { throw UsageError("/ is the file itself, not a box") }
    return path
  }

  fileprivate func bytes(_ limits: Limits) throws(FileError) -> Extent {
    let source = try InputName(path: file).opened(limits)
    return Extent(source, 0..<source.count)
  }
}
