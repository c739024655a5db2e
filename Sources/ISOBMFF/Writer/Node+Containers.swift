// SPDX-License-Identifier: MIT

internal import Bytes

extension Node {
  /// A box of our own that holds nothing but boxes.
  init(_ type: FourCC, _ boxes: [Node]) {
    var container = Container()
    container.boxes = boxes
    self.init(type, container)
  }

  /// The header of `mdat` for so many bytes.
  static func mediaDataHeader(count: Int) -> BoxHeader {
    var header = BoxHeader("mdat")
    if count > Int(UInt32.max) - header.count { header.form = .large }
    return header
  }
}

extension ByteSink {
  /// The header of a box of our own, whose body follows.
  mutating func append(_ header: BoxHeader, body count: Int) throws(SyntaxError) {
    var writer = SyntaxWriter(ArraySink())
    try header.syntax(&writer, size: header.count + count)
    try append(writer.sink.bytes.span)
  }
}
