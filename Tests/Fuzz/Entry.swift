// SPDX-License-Identifier: MIT

/// What libFuzzer calls. Each file beside this one gives a `fuzz(_:)`, and one of them is built with it;
/// an error that it throws is a finding, like a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  do {
    try fuzz(bytes)
  } catch {
    fatalError("\(error)")
  }
  return 0
}

/// Something that must hold for every input does not.
struct Violation: Error {
  var what: String
}

func expect(_ holds: Bool, _ what: @autoclosure () -> String) throws(Violation) {
  guard holds else { throw Violation(what: what()) }
}
