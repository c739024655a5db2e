// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia

/// The failure of a process, as it is sent to another one.
struct FailureFrame: SyntaxStructure {
  private var kind = FrameText()
  private var isOfInput = false
  /// This is 0 for none, 1 for a structure, 2 for what was worked on.
  private var place: UInt8 = 0
  private var name = FrameText()
  /// None, or where the place begins and ends.
  private var bytes: [UInt64] = []
  private var detail = FrameText()
  private var remedy = FrameText()

  init() {}
  init(_ failure: MediaError) {
    kind = FrameText(failure.kind.rawValue)
    isOfInput = failure.subject == .input
    detail = FrameText(failure.message)
    remedy = FrameText(failure.remedy?.rawValue ?? "")
    var bytes: Range<Int>?
    switch failure.place {
    case .byte(let offset, let path):
      (place, name, bytes) = (1, FrameText(path), offset.map { $0..<$0 })
    case .item(let item, let range): (place, name, bytes) = (2, FrameText(item), range)
    case .time: detail = FrameText(failure.description)
    case nil: break
    }
    self.bytes = bytes.map { [$0.lowerBound, $0.upperBound].map(UInt64.init(clamping:)) } ?? []
  }

  var failure: MediaError {
    let bounds = bytes.map(Int.init(clamping:))
    let place: MediaError.Place? =
      switch place {
      case 1: .byte(bounds.first, in: name.text)
      case 2:
        .item(
          name.text,
          bytes: bounds.count == 2 && bounds[0] <= bounds[1] ? bounds[0]..<bounds[1] : nil)
      default: nil
      }
    return MediaError(
      MediaError.Kind(rawValue: kind.text) ?? .crash, of: isOfInput ? .input : nil, detail.text,
      at: place, remedy: Remedy(rawValue: remedy.text))
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("kind", &kind)
    try v.u(8, "is_of_input", &isOfInput)
    try v.u(8, "place", &place)
    try v.group("name", &name)
    for index in 0..<(try v.count(8, "bound_count", bytes.count)) {
      if index == bytes.count { bytes.append(0) }
      try v.u(64, "bound", &bytes[index])
    }
    try v.group("detail", &detail)
    try v.group("remedy", &remedy)
  }
}
