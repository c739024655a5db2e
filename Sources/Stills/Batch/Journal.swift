// SPDX-License-Identifier: MIT

public import Files
internal import Glibc

/// What became of every photo of a run, a line each, so that a run that was cut short goes on where it was.
///
/// A line is `STATUS SIZE MTIME PATH`, separated by tabs, with tabs, line ends and backslashes of the path
/// escaped; it is appended in one write when its photo is finished. A last line that was torn is cut off.
public final class Journal {
  /// How many photos earlier runs finished.
  public var finished: Int { done.count }

  private let path: String
  private let descriptor: Int32
  private var done: Set<UInt64> = []

  /// Opens a journal or begins one, and keeps other processes out of it as long as it is open.
  ///
  /// - Parameter purpose: what the run writes. A journal of another purpose is refused, for its photos have other
  ///   outputs.
  public init(_ path: String, purpose: String) throws(FileError) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileError("open", path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK
        ? FileError("use", path, reason: "another run is using this journal")
        : FileError("lock", path)
    }
    let header = "apus-journal 1\t\(escaped(purpose))"
    guard let first = try load(header) else {
      try append(header)
      return
    }
    guard first == header else {
      throw FileError(
        "use", path,
        reason: first.hasPrefix("apus-journal 1\t")
          ? "it belongs to a run that wrote \(first.dropFirst(15)), this one writes \(escaped(purpose))"
          : "it is no journal")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether a photo was converted, salvaged or skipped, and is the same file still.
  public func holds(_ input: String, _ file: FileIdentity) -> Bool {
    done.contains(
      hash(of: escaped(input), "\(file.size)", "\(file.times.modificationNanoseconds)"))
  }

  /// - Parameter file: the photo as it was when it was begun.
  public func append(_ status: PhotoReport.Status, _ input: String, _ file: FileIdentity?)
    throws(FileError)
  {
    let size = file?.size ?? 0
    let time = file?.times.modificationNanoseconds ?? 0
    try append("\(status.rawValue)\t\(size)\t\(time)\t\(escaped(input))")
  }

  private func append(_ line: String) throws(FileError) {
    let writer = DescriptorWriter(descriptor, name: path)
    try writer.write(line + "\n")
    try writer.flush()
  }

  /// Reads every whole line and cuts off what follows the last. Returns the first.
  private func load(_ header: String) throws(FileError) -> String? {
    var first: String?
    var line: [UInt8] = []
    var place = 0
    var end = 0
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes { buffer in
        unsafe pread(descriptor, buffer.baseAddress, buffer.count, place)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileError("read", path) }
      if count == 0 { break }
      for byte in piece[..<count] {
        place += 1
        guard byte == 0x0a else {
          line.append(byte)
          continue
        }
        let text = String(decoding: line, as: UTF8.self)
        if first == nil { first = text } else { take(text) }
        // What is no journal is not read any further.
        if first != header { return first }
        line.removeAll(keepingCapacity: true)
        end = place
      }
      if first == nil, line.count > 1 << 16 { return "" }
    }
    if first == nil, !line.isEmpty, !header.utf8.starts(with: line) { return "" }
    if end < place {
      guard ftruncate(descriptor, end) == 0 else { throw FileError("write", path) }
    }
    return first
  }

  private func take(_ line: String) {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard parts.count == 4, let status = PhotoReport.Status(rawValue: String(parts[0])) else {
      return
    }
    let entry = hash(of: String(parts[3]), String(parts[1]), String(parts[2]))
    if status == .failed { done.remove(entry) } else { done.insert(entry) }
  }
}

/// A text on one line without tabs.
private func escaped(_ text: String) -> String {
  text.unicodeScalars.reduce(into: "") { result, scalar in
    switch scalar {
    case "\\": result += "\\\\"
    case "\t": result += "\\t"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    default: result.unicodeScalars.append(scalar)
    }
  }
}
