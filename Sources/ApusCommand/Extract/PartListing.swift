// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusFiles
import ApusMedia
import ApusStills
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
        write(listing, of: name, to: output)
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

  private func write(
    _ listing: PhotoListing, of file: String, to output: ResultStream
  ) {
    var json = JSONWriter(output)
    json.object { json in
      json.field("file", file)
      json.key("parts")
      json.array { json in
        for (place, part) in listing.parts.enumerated() {
          json.object { json in
            json.field("role", part.role.rawValue)
            json.field("name", part.name)
            if let item = part.item { json.field("item", item) }
            json.field("type", part.type)
            if !part.detail.isEmpty { json.field("detail", part.detail) }
            if let size = part.size {
              json.field("width", size.width)
              json.field("height", size.height)
            }
            if let count = part.byteCount { json.field("bytes", count) }
            if let failure = listing.failures[place] {
              json.key("error")
              ConvertJSON().write(failure, to: &json)
            }
          }
        }
      }
      json.key("tracks")
      json.array { json in
        for track in listing.tracks {
          json.object { json in
            json.field("id", track.id)
            if let handler = track.handler { json.field("handler", handler.description) }
            json.key("sample_entries")
            json.array { json in for type in track.types { json.value(type.description) } }
          }
        }
      }
      json.key("warnings")
      json.array { json in for warning in listing.warnings { json.value(warning) } }
    }
    json.endDocument()
  }
}
