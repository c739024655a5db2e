// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusJSON
import ApusTranscode

/// `legacy`, `apple`, `any`, or the path of a description.
struct ReceiverChoice: ArgumentValue {
  let argument: String

  init?(argument: String) { self.argument = argument }
  static var expected: String { "legacy, apple, any, or a JSON file" }

  /// The file that describes the receiver, if there is one.
  var file: String? { ["any", "apple", "legacy"].contains(argument) ? nil : argument }

  func receiver() throws -> Receiver {
    switch argument {
    case "any": .any
    case "apple": .apple
    case "legacy": .legacy
    default: try Receiver(fileAt: argument)
    }
  }
}

extension Receiver {
  /// The maximum size of a description, in bytes.
  private static let longest = 1 << 20

  init(fileAt path: String) throws {
    let source = try openInput(path, limit: Self.longest)
    guard source.count <= Self.longest else {
      throw UsageError(
        "\(path) has \(source.count) bytes, too many for a receiver description")
    }
    do {
      self = try Receiver(try source.bytes(in: 0..<source.count))
    } catch let error as JSONError {
      throw UsageError("\(path) is not valid JSON: \(error)")
    } catch let error as UsageError {
      throw UsageError("\(path): \(error.message)")
    }
  }

  /// Reads a description; whatever it leaves out is accepted in any form.
  init(_ bytes: [UInt8]) throws {
    var root = try JSONFields(JSONReader.value(of: bytes), "the document")
    images = try Self.words(&root, "images", Self.imageWords)
    containers = try Self.words(&root, "containers", Self.containerWords)
    video = try Self.words(&root, "video", Self.videoWords)
    audio = try Self.words(&root, "audio", Self.audioWords)
    bitDepth = try root.integer("bit_depth", 8...16)
    takesHDR = try root.truth("hdr") ?? true
    if let size: FrameSize = try root.word("size") { bound = SizeBound(size.width, size.height) }
    needsAppleHEVC = try root.truth("apple_hevc") ?? false
    try root.finish()
  }

  private static func words(_ root: inout JSONFields, _ field: String, _ known: [String])
    throws(UsageError) -> [String]?
  {
    guard let words = try root.texts(field) else { return nil }
    if let other = words.first(where: { !known.contains($0) }) {
      throw UsageError("\(field) contains \(other); known values: \(known.joined(separator: ", "))")
    }
    return words
  }
}
