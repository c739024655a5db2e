// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia

/// A statement of a process that decodes for another.
struct DecodeReply: SyntaxStructure {
  enum Kind: UInt8 {
    /// The library is loaded, and the process is confined.
    case ready
    /// The rows of a decoded picture follow, plane by plane.
    case picture
    /// The picture was whole.
    case done
    /// The library cannot be loaded, or the picture is not whole.
    case failed
  }

  private(set) var kind = Kind.done
  private var libraryName = FrameText()
  private var width: UInt32 = 0
  private var height: UInt32 = 0
  private var chroma: UInt8 = 0
  private var bitDepth: UInt8 = 8
  private var isRGB = false
  /// It holds one element or none.
  private var failures: [FailureFrame] = []

  init() {}

  /// - Parameter name: the library and its version.
  init(ready name: String) {
    kind = .ready
    libraryName = FrameText(name)
  }

  init(_ format: PictureFormat) {
    kind = .picture
    (width, height) = (UInt32(clamping: format.width), UInt32(clamping: format.height))
    (chroma, bitDepth) = (format.chroma.rawValue, UInt8(clamping: format.bitDepth))
    isRGB = format.isRGB
  }

  init(_ failure: MediaError) {
    kind = .failed
    failures = [FailureFrame(failure)]
  }

  var name: String { libraryName.text }
  var failure: MediaError? { failures.first?.failure }

  /// The format of the picture; `nil` where it makes no sense.
  var format: PictureFormat? {
    guard width > 0, height > 0, (8...16).contains(bitDepth), let chroma = Chroma(rawValue: chroma)
    else { return nil }
    var format = PictureFormat(
      width: Int(width), height: Int(height), chroma: chroma, bitDepth: Int(bitDepth))
    format.isRGB = isRGB
    return format
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var code = kind.rawValue
    try v.u(8, "kind", &code)
    guard let kind = Kind(rawValue: code) else {
      throw v.failure(.invalid, "kind", "is \(code), which is not known")
    }
    self.kind = kind
    try v.group("name", &libraryName)
    try v.u(32, "width", &width)
    try v.u(32, "height", &height)
    try v.u(8, "chroma", &chroma)
    try v.u(8, "bit_depth", &bitDepth)
    try v.u(8, "is_rgb", &isRGB)
    try v.list("failures", &failures, count: v.count(32, "failure_count", failures.count))
  }
}
