// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ISOBMFF

/// A box of this program: its fields are declared once, and read, written and edited by that declaration.
struct Calibration: FullBox {
  static let types: [FourCC] = ["acal"]
  var header = FullBoxHeader()
  var serialNumber: UInt32 = 0

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "serial_number", &serialNumber)
  }
}

/// The serial number of the camera, from the outermost boxes of a file.
func serialNumber(in bytes: [UInt8]) throws(SyntaxError) -> UInt32? {
  let tree = try BoxTree(reading: MemorySource(bytes), boxes: [Calibration.self])
  for node in tree.boxes {
    if let box = node.box as? Calibration { return box.serialNumber }
  }
  return nil
}

func adding(serialNumber: UInt32, to bytes: [UInt8]) throws(SyntaxError) -> [UInt8] {
  var box = Calibration()
  box.serialNumber = serialNumber
  return bytes + (try BoxTree(boxes: [Node("acal", box)]).bytes())
}
// end
