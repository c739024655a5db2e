// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusMetadata
import ApusStills
import HEIF
import ISOBMFF

/// `apus edit`: changes boxes and fields, and leaves everything else unchanged.
struct Edit: Verb {
  static let name = "edit"
  static let summary =
    "change metadata, rotation and parts without re-encoding, or boxes and fields"
  static let discussion = """
    Changes a photo (HEIC, HIF, AVIF, JPEG) without re-encoding it: what Exif, XMP and IPTC say, its rotation, \
    and parts such as thumbnail and gain map. The coded pictures, unless --lossless turns them, and everything \
    else stay byte for byte, and nothing is left of what was removed. Of an MP4 or MOV, time, location and titles are changed.

    It also changes single boxes of an MP4, MOV or HEIF file. Sizes and all offsets into the file are updated: chunks (stco \
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
    Example(
      "apus edit -r photos --strip gps --in-place",
      "Removes the location from all photos and movies in a folder."),
    Example(
      "apus edit photo.heic --set date=+2h --rotate 90 --in-place",
      "Corrects the camera's clock and turns the photo."),
    Example(
      "apus edit -r photos --lossless --in-place",
      "Turns the pictures of JPEGs upright without loss, for programs that ignore the orientation tag."
    ),
    Example(
      "apus edit photo.jpg --set title=Dunes --set keywords=sea,sand -o titled.jpg",
      "Writes a copy with a title and keywords."),
    Example(
      "apus edit -r Takeout --sidecars --in-place",
      "Puts what Google Photos exported next to the photos into them."),
    Example(
      "apus edit -r photos --add-thumbnail --in-place",
      "Adds a thumbnail to every photo without one; the pictures stay as they are."),
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
  var strip: [StripArgument] = []
  var sets: [SetArgument] = []
  var removals: [RemovalArgument] = []
  var crop: PictureCrop?
  var rotate: QuarterTurn?
  var flip: FlipDirection?
  var lossless = false
  var exif: String?
  var xmp: String?
  var copyFrom: String?
  var gpx: String?
  var sidecars = false
  var primary: Int?
  var gainMap: EditedGainMap?
  var addThumbnail: AddedThumbnail?
  var replacements: [FileChange] = []
  var bodies: [FileChange] = []
  var insertions: [FileChange] = []
  var insertionsBefore: [FileChange] = []
  var insertionsAfter: [FileChange] = []
  var extraction: BoxPath?
  var journal: String?
  var output = EditOutput()
  var limits = PhotoLimitOptions()

  func run(_ console: Console) throws -> ExitStatus {
    let journal = try journal.map { path throws(FileError) in
      try EditJournal(path, purpose: purpose)
    }
    let run = EditRun(inputs, output, limits.boxes, console, journal: journal)
    if let extraction { return try extract(extraction, run) }
    let edits = try photoEdits()
    let sidecars = sidecars ? Sidecars() : nil
    guard edits.isEmpty, sidecars == nil else {
      let engine = addThumbnail.map { _ in PhotoEngine() }
      return try run.run { input, _ in
        .photo(try photo(input, edits, sidecars, engine, on: console))
      }
    }
    return try run.run { editor, input, _ in
      for change in changes { input.files.add(change.file) }
      try change(&editor)
    }
  }

  private func photo(
    _ input: Input, _ edits: PhotoEdits, _ sidecars: Sidecars?, _ engine: PhotoEngine?,
    on console: Console
  ) throws -> EditedPhoto {
    let kind = try FileKind(of: input.source)
    guard kind == .jpeg || kind == .isoBMFF else {
      throw OtherKind(
        "\(input.name) is \(kind.description); only HEIF, AVIF, JPEG, MP4 and MOV are changed without re-encoding"
      )
    }
    for file in [exif, xmp, copyFrom, gpx].compactMap(\.self) { input.files.add(file) }
    var edits = edits
    if let sidecars {
      let found = try sidecars.add(for: input.name, to: &edits.metadata)
      for file in found { input.files.add(file) }
      console.detail(
        "\(input.name): \(found.isEmpty ? "no sidecar" : found.joined(separator: ", "))")
    }
    if let engine {
      try edits.makeThumbnail(
        of: input.source, by: engine, limits: limits.plan, boxes: limits.boxes)
    }
    return try EditedPhoto(input.source, edits, limits: limits.plan, boxes: limits.boxes)
  }

  /// Returns the changes of a photo; throws if boxes are changed as well.
  func photoEdits() throws -> PhotoEdits {
    var edits = PhotoEdits()
    for argument in strip {
      switch argument {
      case .metadata(let kind): edits.metadata.strip.insert(kind)
      case .part(let part): edits.removals.insert(part)
      }
    }
    for case .property(let property, let value) in sets {
      property.change(to: value)?(&edits.metadata)
    }
    for case .part(let part) in removals { edits.removals.insert(part) }
    edits.crop = crop
    edits.turn = rotate?.orientation ?? .upright
    if let flip { edits.turn = edits.turn.then(flip.orientation) }
    edits.bakesOrientation = lossless
    edits.describesGainMapTwice = gainMap != nil
    edits.thumbnail = addThumbnail.map { .side($0.side?.count) }
    if let primary {
      guard let id = UInt32(exactly: primary) else {
        throw UsageError("there is no item \(primary)")
      }
      edits.primary = id
    }
    if let copyFrom { try edits.copyMetadata(of: InputName(path: copyFrom).opened(limits.boxes)) }
    if exif != nil || xmp != nil {
      edits.metadata.exif = try exif.map { try InputName(path: $0).smallFile("Exif") }
      edits.metadata.xmp = try xmp.map { try InputName(path: $0).smallFile("a packet of XMP") }
    }
    if let gpx {
      let file = InputName(path: gpx)
      edits.metadata.track = try file.facts("a track", mebibytes: 256) {
        bytes throws(SyntaxError) in try RecordedTrack(gpx: bytes)
      }
    }
    guard edits.isEmpty && !sidecars || changes.isEmpty && fields.isEmpty && boxes.isEmpty else {
      throw UsageError("boxes and properties of a photo cannot be changed in one run")
    }
    return edits
  }
}
