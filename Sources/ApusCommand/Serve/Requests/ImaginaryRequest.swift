// SPDX-License-Identifier: MIT

import ApusHTTP
import ApusJSON
import ApusMedia
import ApusStills
import ISOBMFF

/// A request in the form of Imaginary, which Apus can replace, translated to the options of a verb. Unsupported
/// parameters are errors that name them, and nothing is ignored.
struct ImaginaryRequest {
  /// The operations with separate paths.
  static let operations = [
    "convert", "fit", "resize", "enlarge", "thumbnail", "crop", "smartcrop", "extract", "rotate",
    "autorotate",
    "flip", "flop",
  ]

  /// The operations that change the size.
  private static let sizing: Set = [
    "fit", "resize", "enlarge", "thumbnail", "crop", "smartcrop", "extract",
  ]

  private var area: String?
  private var proportions: String?
  private var width: Int?
  private var height: Int?
  private var hasSize = false
  private var enlarges = false
  private var quarterTurns = 0
  private var flip: String?
  private var type: String?
  private var quality = "80"
  private var leavesMetadata = false
  private var flags: [String] = []
  private var background: String?

  /// - Parameter operation: the last part of the path; `pipeline` for several, which `operations` lists as JSON.
  init(_ operation: String, _ query: [HTTPHead.Field]) throws(UsageError) {
    guard operation == "pipeline" else {
      try add(operation, query)
      return
    }
    guard query.count == 1, query[0].name == "operations", let text = query[0].value else {
      throw UsageError("pipeline takes operations, a JSON array, and nothing else")
    }
    let steps: JSONValue
    do throws(JSONError) {
      steps = try JSONReader.value(of: Array(text.utf8))
    } catch {
      throw UsageError("operations is no JSON: \(error)")
    }
    guard case .array(let steps) = steps, !steps.isEmpty, steps.count <= 10 else {
      throw UsageError("operations is an array of 1 to 10 operations")
    }
    for step in steps { try add(step) }
  }

  private mutating func add(_ step: JSONValue) throws(UsageError) {
    guard case .object(let members) = step, let operation = step["operation"]?.text else {
      throw UsageError("an operation is an object with the member operation")
    }
    let known = ["operation", "params", "ignore_failure"]
    if let other = members.first(where: { !known.contains($0.name) }) {
      throw UsageError("\(operation) has the member \(other.name), which is not known")
    }
    guard step["ignore_failure"]?.truth != true else {
      throw UsageError("ignore_failure is not supported: an answer is a whole picture or none")
    }
    try add(operation, try Self.parameters(step["params"], of: operation))
  }

  private static func parameters(
    _ value: JSONValue?, of operation: String
  ) throws(UsageError) -> [HTTPHead.Field] {
    // PHP writes an object without members as an empty array.
    if value == nil || value == .null || value == .array([]) { return [] }
    guard case .object(let members)? = value else {
      throw UsageError("params of \(operation) is an object")
    }
    var parameters: [HTTPHead.Field] = []
    for member in members {
      let text: String
      switch member.value {
      case .text(let own): text = own
      case .number(let digits): text = digits
      case .truth(let truth): text = truth ? "true" : "false"
      default: throw UsageError("\(member.name) of \(operation) is neither text nor a number")
      }
      parameters.append(HTTPHead.Field(member.name, text))
    }
    return parameters
  }

  private mutating func add(_ operation: String, _ parameters: [HTTPHead.Field]) throws(UsageError)
  {
    guard Self.operations.contains(operation) else {
      throw UsageError("the operation \(operation) is not done here")
    }
    var own: [String: Int] = [:]
    for parameter in parameters {
      let (name, value) = (parameter.name, parameter.value ?? "")
      switch name {
      case "width", "height", "rotate", "top", "left", "areawidth", "areaheight":
        guard let number = Int(value), (0...65535).contains(number) else {
          throw UsageError("\(name) is a whole number, not \(value)")
        }
        own[name] = number
      default: try set(name, value, of: operation)
      }
    }
    try shape(operation, own)
  }

  private mutating func set(_ name: String, _ value: String, of operation: String)
    throws(UsageError)
  {
    switch name {
    case "quality":
      // For 0 Imaginary uses its default.
      if value != "0" { quality = value }
    case "type": type = value
    case "stripmeta": leavesMetadata = try Self.truth(name, value)
    // The result is upright in any case.
    case "norotation", "field": break
    case "nocrop":
      guard try Self.truth(name, value) else { throw UsageError("nocrop=false is not done") }
    case "noprofile": if try Self.truth(name, value) { flags.append("--srgb") }
    case "interlace": if try Self.truth(name, value) { flags.append("--progressive") }
    case "colorspace":
      guard value == "srgb" else {
        throw UsageError("colorspace is srgb, and \(value) is not done")
      }
      flags.append("--srgb")
    case "gravity":
      guard value == "centre" || operation == "smartcrop" && value == "smart" else {
        throw UsageError("gravity is centre, and \(value) is not done")
      }
    case "background":
      let parts = value.split(separator: ",", omittingEmptySubsequences: false)
      let levels = parts.compactMap { UInt8($0) }
      guard parts.count == 3, levels.count == 3 else {
        throw UsageError("background is three numbers, not \(value)")
      }
      background = HexColour(levels).argument
    default: throw UsageError("\(name) of \(operation) is not done here")
    }
  }

  private mutating func shape(_ operation: String, _ own: [String: Int]) throws(UsageError) {
    var left = own
    let (across, down) = (own["width"], own["height"])
    // For Imaginary a side of 0 is one that is not given.
    for side in ["width", "height"] where own[side] == 0 || Self.sizing.contains(operation) {
      left[side] = nil
    }
    switch operation {
    case "extract":
      guard area == nil, !hasSize, quarterTurns == 0, flip == nil else {
        throw UsageError("extract is done first, and once")
      }
      guard let top = left.removeValue(forKey: "top"),
        let wide = left.removeValue(forKey: "areawidth"),
        let high = left.removeValue(forKey: "areaheight"), wide > 0, high > 0
      else { throw UsageError("extract needs top, areawidth and areaheight") }
      area = "\(wide)x\(high)+\(left.removeValue(forKey: "left") ?? 0)+\(top)"
      if across ?? 0 > 0 || down ?? 0 > 0 { try size(operation, across, down) }
    case "crop", "smartcrop":
      guard let across, let down, across > 0, down > 0 else {
        throw UsageError("\(operation) needs width and height")
      }
      guard area == nil, quarterTurns == 0 else {
        throw UsageError("\(operation) after extract or rotate is not done")
      }
      proportions = "\(across):\(down)"
      try size(operation, across, down)
    case "fit", "resize", "enlarge", "thumbnail":
      guard across ?? 0 > 0 || down ?? 0 > 0 else { throw UsageError("\(operation) needs a width") }
      guard !["fit", "enlarge"].contains(operation) || across ?? 0 > 0 && down ?? 0 > 0 else {
        throw UsageError("\(operation) needs width and height")
      }
      enlarges = operation == "enlarge"
      try size(operation, across, down)
    case "flip", "flop":
      guard flip == nil else { throw UsageError("\(operation) is done once") }
      flip = operation == "flip" ? "vertical" : "horizontal"
    case "convert":
      guard type != nil else { throw UsageError("convert needs a type") }
    default: break
    }
    if let degrees = left.removeValue(forKey: "rotate") { try turn(degrees) }
    if operation == "rotate", own["rotate"] == nil {
      throw UsageError("rotate needs the degrees, as rotate")
    }
    if let other = left.keys.sorted().first {
      throw UsageError("\(other) of \(operation) is not done here")
    }
  }

  private mutating func size(_ operation: String, _ across: Int?, _ down: Int?) throws(UsageError) {
    guard !hasSize else {
      throw UsageError("\(operation) is the second change of size, and one is done")
    }
    hasSize = true
    width = across.flatMap { $0 > 0 ? $0 : nil }
    height = down.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Rotates the result; the requested sides are swapped if the rotation comes after them.
  private mutating func turn(_ degrees: Int) throws(UsageError) {
    guard degrees % 90 == 0, flip == nil else {
      throw UsageError("rotate takes multiples of 90 degrees, before any flip")
    }
    quarterTurns = (quarterTurns + degrees / 90) % 4
    if hasSize, degrees / 90 % 2 == 1 { swap(&width, &height) }
  }

  private static func truth(_ name: String, _ value: String) throws(UsageError) -> Bool {
    switch value {
    case "", "1", "true": true
    case "0", "false": false
    default: throw UsageError("\(name) is true or false, not \(value)")
    }
  }

  /// Returns the verb that carries it out, and its options.
  ///
  /// - Parameter kind: the kind of the file, if it is known by now.
  func words(for kind: FileKind?) throws(UsageError) -> (verb: any Verb.Type, options: [String]) {
    let format: String
    switch type {
    case nil, "auto": format = kind == .png ? "png" : "jpeg"
    case "jpeg", "jpg": format = "jpeg"
    case "png": format = "png"
    case "webp": format = "webp"
    case "heic", "heif": format = "heic"
    case let other?: throw UsageError("the type \(other) is not written here")
    }
    var words = ["--format=\(format)"]
    if format != "png" { words.append("--quality=\(quality)") }
    words += flags
    if let background { words.append("--background=\(background)") }
    let largest = OutputFormat.longestScaledSide
    let size = "\(min(width ?? largest, largest))x\(min(height ?? largest, largest))"
    // A picture without metadata may be made from the thumbnail of a photo, without decoding all of it.
    let isSmall =
      hasSize && leavesMetadata && area == nil && quarterTurns == 0 && flip == nil
      && format != "heic" && !enlarges && !flags.contains("--progressive")
    if isSmall {
      words.append("--size=\(size)")
    } else {
      if hasSize { words.append("--max-size=\(size)") }
      if enlarges { words.append("--enlarge") }
      if leavesMetadata { words.append("--strip=all") }
      if quarterTurns > 0 { words.append("--rotate=\(quarterTurns * 90)") }
      if let flip { words.append("--flip=\(flip)") }
    }
    if let part = area ?? proportions { words.append("--crop=\(part)") }
    return (isSmall ? Thumbnail.self : Convert.self, words)
  }
}
