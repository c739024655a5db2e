// SPDX-License-Identifier: MIT

internal import Glibc

/// A nameless file for bytes that are read again in the same process, in `TMPDIR` or where that is not set in
/// `/tmp`. Nothing is left of it, whatever happens.
public final class SpoolFile {
  public let writer: DescriptorWriter
  private let descriptor: Int32

  public init() throws(FileError) {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    let name = folder.isEmpty ? "/tmp" : folder
    var template = Array((name + "/apus-XXXXXX").utf8CString)
    descriptor = unsafe mkstemp(&template)
    writer = DescriptorWriter(descriptor, name: "a temporary file in \(name)")
    guard descriptor >= 0 else { throw FileError("make", writer.name) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unsafe unlink(template)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// What was written so far.
  public func written() throws(FileError) -> FileSource {
    try writer.flush()
    return try FileSource(duplicating: descriptor, name: writer.name)
  }
}
