import Bytes
import Files
import ISOBMFF
var bad = 0
for p in CommandLine.arguments.dropFirst() {
  do {
    let s = try FileSource(p)
    let t = try BoxTree(reading: s)
    let b = try t.bytes()
    if b != (try s.bytes(in: 0..<s.count)) { print("DIFF", p); bad += 1 }
  } catch { print(p, error) }
}
print("bad", bad)
