// SPDX-License-Identifier: MIT

import ApusFiles
import ApusStills
import CApusSandbox
import Glibc

/// The restrictions under which a process decodes photos apart from the others.
enum Confinement {
  /// The photo, the output, the libraries that are opened meanwhile, and some to spare.
  private static var openFiles: UInt32 { 64 }

  /// The places that libraries and what describes this process and its processors are read from.
  private static var libraries: [String] {
    let named = Terminal.environment("LD_LIBRARY_PATH") ?? ""
    return [
      "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache",
      "/proc/self",
      "/sys/devices/system",
    ] + named.split(separator: ":").map(String.init)
  }

  /// The parts of the system that confine processes here.
  static var means: String { apus_landlock_version() > 0 ? "Landlock and seccomp" : "seccomp" }

  /// Whether processes can be confined here: where the system is not asked by seccomp, calls cannot be refused.
  static var isPossible: Bool { apus_has_filters() != 0 }

  /// Keeps confined processes of this user out of the memory of this one.
  static func hideMemory() { apus_hide_memory() }

  /// Hides the memory of this process, and closes what was open when it started.
  ///
  /// - Parameter first: the first descriptor that this process was not given.
  static func prepare(closingFrom first: Int32) {
    hideMemory()
    apus_close_from(UInt32(first))
  }

  /// Gives up all that decoding does not need.
  ///
  /// - Parameter reach: the files that this process opens and writes itself; `nil` if it is handed all of them open.
  static func begin(_ limits: IsolationLimits, _ reach: ReachableFiles?) throws(FileError) {
    // The time zone is kept in memory from here on, since its file cannot be opened later.
    tzset()
    let mebibytes = UInt64(min(limits.addressMebibytes, 1 << 24))
    let limited = apus_limit_process(mebibytes << 20, openFiles)
    guard limited == 0 else { throw FileError("limit", "this process", code: limited) }
    var code = apus_drop_privileges(reach == nil ? 0 : 1)
    if code == 0, apus_landlock_version() > 0 { code = confineFiles(reach) }
    if code == 0 { code = apus_refuse_system_calls(reach == nil ? 0 : 1) }
    guard code == 0 else { throw FileError("isolate", "this process", code: code) }
    DecodingHosts.use(nil)
  }

  /// Returns an error number, or 0.
  private static func confineFiles(_ reach: ReachableFiles?) -> Int32 {
    let set = apus_files_begin()
    guard set >= 0 else { return errno }
    var places = (libraries + (reach?.read ?? [])).map { ($0, Int32(0)) }
    places += (reach?.changed ?? []).map { ($0, 1) }
    for (path, mayChange) in places {
      guard let name = unsafe copiedWord(path) else { return errno }
      defer { unsafe free(name) }
      let code = unsafe apus_files_add(set, name, mayChange)
      guard code == 0 else { return code }
    }
    return apus_files_end(set)
  }

  /// Ends this process when it has used so many more seconds of processor time.
  static func limitTime(_ seconds: Int) {
    apus_limit_time(UInt64(min(seconds, 1 << 32)))
  }
}
