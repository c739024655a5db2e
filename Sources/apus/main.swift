import Bytes
import Files
import ISOBMFF

struct Out: TextOutputStream { mutating func write(_ s: String) { print(s, terminator: "") } }
var bad = 0
for p in CommandLine.arguments.dropFirst(2) {
  let s = try FileSource(p)
  let t = try BoxTree(reading: s)
  var out = Out()
  switch CommandLine.arguments[1] {
  case "json":
    var j = JSONWriter(out)
    try InspectJSON(isFull: false).write(t, t.located, file: p, size: s.count, to: &j)
    j.endDocument()
  case "hex": try InspectText(bytes: ByteColumn(source: s)).write(t.located, to: &out)
  case "check":
    let b = try t.bytes()
    if b != (try s.bytes(in: 0..<s.count)) {
      print("DIFF", p)
      bad += 1
    }
  case "text":
    try InspectText().write(t.located, to: &out)
    InspectText().write(t.findings, to: &out)
  default:
    if let a = try InspectAt(Int(CommandLine.arguments[1])!, in: t) {
      print(a.text(palette: .plain))
    }
  }
}
