// SPDX-License-Identifier: MIT

internal import ApusFiles
internal import Glibc

/// Returns the number of processors that this process may use: those it may run on, or fewer if its control group has a
/// quota.
package func usableProcessors() -> Int {
  let allowed = line(of: "/proc/self/status", after: "Cpus_allowed_list:")
  let count =
    allowed.flatMap { processors(inList: String($0)) }
    ?? sysconf(Int32(_SC_NPROCESSORS_ONLN))
  return max(min(count, groupQuota() ?? count), 1)
}

/// Returns the quota of this process's control group and the enclosing ones, rounded up to whole processors.
private func groupQuota() -> Int? {
  guard var group = line(of: "/proc/self/cgroup", after: "0::") else { return nil }
  var least: Int?
  while true {
    if let quota = processors(inQuota: text(of: "/sys/fs/cgroup\(group)/cpu.max")) {
      least = min(least ?? quota, quota)
    }
    guard let slash = group.lastIndex(of: "/"), group.count > 1 else { return least }
    group = slash == group.startIndex ? "/" : group[..<slash]
  }
}

/// Returns the number of processors in a list such as `0-3,6`.
func processors(inList text: String) -> Int? {
  var count = 0
  for range in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
    let ends = range.split(separator: "-").map { Int($0) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count < 3, last >= first
    else { return nil }
    count += last - first + 1
  }
  return count > 0 ? count : nil
}

/// Returns the number of processors in the `cpu.max` of a control group: microseconds of processor time, or `max`, per
/// period in microseconds.
func processors(inQuota text: String) -> Int? {
  let words = text.split { $0 == " " || $0 == "\n" }
  guard words.count == 2, let quota = Int(words[0]), let period = Int(words[1]), quota > 0,
    period > 0
  else { return nil }
  return (quota - 1) / period + 1
}

/// Returns the rest of the first line that begins with a word. Lines are found by bytes, which is much faster than by
/// characters.
private func line(of path: String, after word: String) -> Substring? {
  text(of: path).utf8.split(separator: UInt8(ascii: "\n"))
    .first { $0.starts(with: word.utf8) }
    .map { Substring($0.dropFirst(word.utf8.count)) }
}

/// Returns the text of a small system file; empty if it cannot be read.
private func text(of path: String) -> String {
  let descriptor = FileSystem.open(path, O_RDONLY)
  guard descriptor >= 0 else { return "" }
  defer { close(descriptor) }
  return unsafe String(unsafeUninitializedCapacity: 1 << 15) {
    max(unsafe read(descriptor, $0.baseAddress, $0.count), 0)
  }
}
