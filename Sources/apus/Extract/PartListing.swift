// SPDX-License-Identifier: MIT

import Bytes
import Files
import ISOBMFF
import Media
import Stills

/// What `apus extract --list` prints: what photos hold beside their picture, and the tracks of movies.
struct PartListing {
  private let verb: Extract
  private let options: ConvertOptions

  init(_ verb: Extract) {
    self.verb = verb
    var options = ConvertOptions()
    options.limits = verb.limits.plan
    options.boxLimits = verb.limits.boxes
    self.options = options
  }

  private struct FoundTrack {
    var id: UInt32
    var handler: FourCC?
    var types: [FourCC]
  }

  func print(on console: Console) throws -> ExitStatus {
    var output = ResultStream(console: console)
    var shown = 0
    var names = InputNames(verb.inputs)
    while true {
      do throws(FileError) {
        guard let name = try names.next() else { break }
        guard !name.isFound || PhotoKinds.heifAndJPEG.contains(name.path) else { continue }
        let source = try name.path == "-" ? standardInput() : openInput(name.path)
        do throws(SyntaxError) {
          let parts = try PhotoPart.parts(of: source, options: options)
          let tracks = try self.tracks(of: source)
          if verb.batch.json {
            write(parts, tracks, of: name.path, to: output)
          } else {
            if shown > 0 { output.write("\n") }
            write(parts, tracks, of: name.path, Palette(console), to: &output)
          }
          shown += 1
        } catch {
          console.fail("\(name.path): \(error)")
        }
      } catch {
        console.fail(error.description)
      }
      try output.check()
    }
    return shown > 0 ? .done : .nothingToDo
  }

  private func tracks(of source: any ByteSource) throws(SyntaxError) -> [FoundTrack] {
    guard try FileKind(of: source) == .isoBMFF else { return [] }
    let movie = Movie(try BoxTree(reading: source, limits: options.boxLimits))
    return movie.tracks.map {
      FoundTrack(id: $0.id, handler: $0.handler, types: $0.sampleEntries.map(\.type))
    }
  }

  private func write(
    _ parts: [PhotoPart], _ tracks: [FoundTrack], of file: String, _ palette: Palette,
    to output: inout ResultStream
  ) {
    output.write("\(palette.paint(file, .bold))\n")
    if parts.isEmpty, tracks.isEmpty { output.write("  nothing beside its picture\n") }
    for part in parts {
      let size = part.size.map { "\($0.width) × \($0.height)" }
      let facts = [
        part.item.map { "item \($0)" }, part.type, size, part.byteCount.map(Quantity.bytes),
        part.detail.isEmpty ? nil : part.detail,
      ]
      line(part.role.rawValue, part.name, facts, palette, to: &output)
    }
    for track in tracks {
      let types = track.types.map(\.description).joined(separator: " ")
      line("track", "\(track.id)", [track.handler?.description, types], palette, to: &output)
    }
  }

  private func line(
    _ role: String, _ name: String, _ facts: [String?], _ palette: Palette,
    to output: inout ResultStream
  ) {
    let label = name.isEmpty || name == role ? role : "\(role) \(name)"
    let padding = String(repeating: " ", count: max(24 - label.count, 1))
    output.write(
      "  \(palette.name(label))\(padding)\(facts.compactMap(\.self).joined(separator: ", "))\n")
  }

  private func write(
    _ parts: [PhotoPart], _ tracks: [FoundTrack], of file: String, to output: ResultStream
  ) {
    var json = JSONWriter(output)
    json.object { json in
      json.field("file", file)
      json.key("parts")
      json.array { json in
        for part in parts {
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
          }
        }
      }
      json.key("tracks")
      json.array { json in
        for track in tracks {
          json.object { json in
            json.field("id", track.id)
            if let handler = track.handler { json.field("handler", handler.description) }
            json.key("sample_entries")
            json.array { json in for type in track.types { json.value(type.description) } }
          }
        }
      }
    }
    json.endDocument()
  }
}
