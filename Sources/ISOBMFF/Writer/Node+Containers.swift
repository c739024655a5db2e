// SPDX-License-Identifier: MIT

internal import ApusBytes

extension Node {
  /// Creates a box that contains only boxes.
  init(_ type: FourCC, _ boxes: [Node]) {
    var container = Container()
    container.boxes = boxes
    self.init(type, container)
  }

  /// Returns the header of `mdat` for a number of bytes.
  static func mediaDataHeader(count: Int) -> BoxHeader {
    var header = BoxHeader("mdat")
    if count > Int(UInt32.max) - header.count { header.form = .large }
    return header
  }
}

extension ByteSink {
  /// Writes the header of a new box, whose body follows.
  mutating func append(_ header: BoxHeader, body count: Int) throws(SyntaxError) {
    var writer = SyntaxWriter(ArraySink())
    try header.syntax(&writer, size: header.count + count)
    try append(writer.sink.bytes.span)
  }
}
