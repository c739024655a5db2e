// SPDX-License-Identifier: MIT

import Bytes
import Files
import ISOBMFF

/// `apus edit`: boxes and fields changed, everything else left as it is.
struct Edit: Verb {
  static let name = "edit"
  static let summary = "change boxes and fields; sizes and offsets follow"
  static let discussion = """
    Changes boxes of an MP4, MOV or HEIF file and writes it back. Sizes follow, and so does every offset \
    that points into the file: chunks (stco becomes co64 where it must), items, fragments, indexes. Where \
    an offset would point into what was removed, the edit is refused and nothing is written. Without a \
    change the copy is identical byte for byte.

    PATH and FIELD are as inspect shows them: moov/trak[1]/tkhd, items[0].item_ID, entries[3].sample_delta. \
    Where a path fits several boxes, an index must say which. All paths name boxes of the file as it is \
    before any change, so their order does not matter. VALUE is written as inspect shows it; numbers may \
    be hexadecimal after 0x. The field type stands for the type of any box.

    Many files, or folders with -r, are changed one after the other, each in the same way; one that cannot \
    be changed is reported, and the next one follows. --json prints a line about each: with --dry-run it \
    lists the bytes that would change as offsets and values, for a server that patches files while it \
    sends them.

    What --insert puts in is written as it is; offsets in it are not touched. Offsets in what --replace \
    puts in count in the file as it was, and follow.
    """
  static let examples = [
    Example("apus edit movie.mp4 -o copy.mp4", "Writes the same bytes from the tree."),
    Example(
      "apus edit movie.mp4 --set moov/trak[0]/tkhd/width=1280 --dry-run",
      "Lists the bytes that would change."),
    Example(
      "apus edit movie.mp4 --set moov/trak[0]/mdia/mdhd/language=deu --in-place",
      "Names the language of the first track; writes two bytes."),
    Example(
      "apus edit movie.mp4 --remove moov/udta -o small.mp4",
      "Takes user data out; chunk offsets follow."),
    Example(
      "apus edit photo.heic --extract meta/iprp/ipco/hvcC[0] -o hvcC.bin",
      "Writes one box to a file of its own."),
    Example(
      "apus edit movie.mp4 --insert moov=udta.bin --insert-before moov=free.bin -o out.mp4",
      "Puts boxes in, at the end of moov and before it."),
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
    try v.option("set", "PATH/FIELD=VALUE", &sets, "give a field another value")
    try v.option("remove", "PATH", &removals, "take a box out")
    try v.option(
      "replace", "PATH=FILE", &replacements, completion: .files,
      "put the boxes in FILE in the place of a box")
    try v.option(
      "replace-body", "PATH=FILE", &bodies, completion: .files,
      "give a box the bytes in FILE after its header")
    try v.option(
      "insert", "PATH=FILE", &insertions, completion: .files,
      "put the boxes in FILE at the end of a box; / is the end of the file")
    try v.option(
      "insert-before", "PATH=FILE", &insertionsBefore, completion: .files,
      "put the boxes in FILE before a box")
    try v.option(
      "insert-after", "PATH=FILE", &insertionsAfter, completion: .files,
      "put the boxes in FILE after a box")
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
      throw UsageError("--extract takes bytes out of the file as it is; it goes with no change")
    }
    var options = output.output
    options.path = options.path ?? "-"
    guard !inputs.several || options.path != "-" else {
      throw UsageError("the boxes of several files need a folder to write to: -o OUT/")
    }
    return try edits.extract(path, options)
  }
}

extension FileChange {
  /// The path of a box; the file as a whole is none.
  fileprivate func box() throws(UsageError) -> BoxPath {
    guard let path else { throw UsageError("/ is the file itself, which is no box") }
    return path
  }

  fileprivate func bytes(_ limits: Limits) throws(FileError) -> Extent {
    let source = try InputName(path: file).opened(limits)
    return Extent(source, 0..<source.count)
  }
}
