// SPDX-License-Identifier: MIT

import ApusBytes
public import ApusFacts
import ApusFiles
import ApusMedia
public import ApusStills
import ISOBMFF

/// The output of `apus extract --list`: the parts of photos and the tracks of movies.
struct PartListing {
  private let verb: Extract
  private let options: ConvertOptions

  init(_ verb: Extract) {
    self.verb = verb
    var options = ConvertOptions()
    options.hdr = .drop
    options.job = .parts(PartChoice())
    options.limits = verb.limits.plan
    options.boxLimits = verb.limits.boxes
    self.options = options
  }

  func print(on console: Console) throws -> ExitStatus {
    var output = ResultStream(console: console)
    var tally = Tally()
    guard verb.inputs.given.isEmpty else {
      for input in verb.inputs.given {
        list(input.source, name: input.name, &tally, to: &output, console)
      }
      try output.check()
      return tally.status
    }
    var names = InputNames(verb.inputs.list)
    while true {
      do throws(FileError) {
        guard let name = try names.next() else { break }
        guard !name.isFound || PhotoKinds.heifAndJPEG.contains(name.path) else { continue }
        let source = try name.opened(options.boxLimits)
        list(source, name: name.path, &tally, to: &output, console)
      } catch {
        console.fail(error.description)
      }
      try output.check()
    }
    return tally.status
  }

  /// The numbers of the listing so far.
  private struct Tally {
    var shown = 0
    var hasFailed = false

    var status: ExitStatus { hasFailed ? .failed : shown > 0 ? .done : .nothingToDo }
  }

  private func list(
    _ source: any ByteSource, name: String, _ tally: inout Tally, to output: inout ResultStream,
    _ console: Console
  ) {
    do {
      let listing = try PhotoListing(source, options: options)
      if verb.batch.json {
        output.write(json: ListedFile(file: name, listing: listing))
      } else {
        if tally.shown > 0 { output.write("\n") }
        write(listing, of: name, Palette(console), to: &output)
        tell(listing, of: name, console)
      }
      tally.hasFailed = tally.hasFailed || !listing.failures.isEmpty
      tally.shown += 1
    } catch {
      console.fail(name, error)
    }
  }

  /// Prints the warnings and errors that extraction would give.
  private func tell(_ listing: PhotoListing, of file: String, _ console: Console) {
    let failures = listing.failures.sorted { $0.key < $1.key }.map(\.value)
    if let first = failures.first {
      let others = failures.dropFirst().map { Console.failure(of: file, $0) }
      for text in others { console.detail(text) }
      return console.fail(file, first, after: listing.warnings)
    }
    for warning in listing.warnings {
      let text = "\(file): \(warning)"
      if listing.parts.isEmpty, listing.tracks.isEmpty {
        console.detail(text)
      } else {
        console.warn(text)
      }
    }
  }

  private func write(
    _ listing: PhotoListing, of file: String, _ palette: Palette, to output: inout ResultStream
  ) {
    output.write("\(palette.paint(file.printable, .bold))\n")
    if listing.parts.isEmpty, listing.tracks.isEmpty {
      output.write("  nothing but its picture\n")
    }
    for part in listing.parts {
      let size = part.size.map { "\($0.width) × \($0.height)" }
      let facts = [
        part.item.map { "item \($0)" }, part.type, size, part.byteCount.map(Quantity.bytes),
        part.detail.isEmpty ? nil : part.detail,
      ]
      line(part.role.rawValue, part.name, facts, palette, to: &output)
    }
    for track in listing.tracks {
      let types = track.types.map(\.description).joined(separator: " ")
      line("track", "\(track.id)", [track.handler?.description, types], palette, to: &output)
    }
  }

  private func line(
    _ role: String, _ name: String, _ facts: [String?], _ palette: Palette,
    to output: inout ResultStream
  ) {
    let label = name.isEmpty || name == role ? role : "\(role) \(name)"
    let text = facts.compactMap(\.self).joined(separator: ", ")
    let padding = String(repeating: " ", count: max(24 - label.count, 1))
    output.write(
      "  \(palette.name(label.printable))\(padding)\(text.printable)\n")
  }
}

/// The listing of one file.
struct ListedFile: Described {
  let file: String
  let listing: PhotoListing

  static let title = "listing"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ListedFile {
    v.required("file", "The path of the file as given or found.") { $0.file }
    v.required("parts", "The parts of the photo.") { file in
      file.listing.parts.enumerated().map {
        ListedPart(part: $1, failure: file.listing.failures[$0])
      }
    }
    v.required("tracks", "The tracks of the file.") { $0.listing.tracks }
    v.required("warnings", "The warnings of an extraction.") { $0.listing.warnings }
  }
}

extension PartRole: FactValue {}

private struct ListedPart: Described {
  let part: PhotoPart
  let failure: MediaError?

  static let title = "listed"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ListedPart {
    v.required("role", "The role.") { $0.part.role }
    v.required("name", "The part of the output's name after the photo's.") { $0.part.name }
    v.optional("item", "The ID of the item, if the file has items.") { $0.part.item }
    v.required("type", "The item type or media type.") { $0.part.type }
    v.optional("detail", "Another text, such as the URN of an auxiliary picture.") {
      $0.part.detail.nonEmpty
    }
    v.optional("width", "The displayed width.") { $0.part.size?.width }
    v.optional("height", "The displayed height.") { $0.part.size?.height }
    v.optional("bytes", "The size in bytes.") { $0.part.byteCount }
    v.optional("error", "The reason why it cannot be extracted, if known.") { $0.failure }
  }
}

extension ListedTrack: Described {
  public static let title = "track"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ListedTrack {
    v.required("id", "The ID.") { $0.id }
    v.optional("handler", "The handler: vide, soun, pict and others.") { $0.handler }
    v.required("sample_entries", "The types of its sample entries.") { $0.types }
  }
}
