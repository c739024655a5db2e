// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

@testable import ApusCommand

/// Runs a script in bash, with the command under test as `apus` and the folder of the fixtures as `$F`,
/// whose name may hold spaces: words are split at line ends only.
///
/// - Returns: what came out, standard error only where the script redirects it, and the exit status.
func bash(_ script: String) throws -> (output: String, status: Int32) {
  var path = [CChar](repeating: 0, count: 4096)
  let count = unsafe readlink("/proc/self/exe", &path, path.count)
  let program = String(
    decoding: path.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  let folder = program.split(separator: "/").dropLast().joined(separator: "/")
  let whole = """
    export PATH=\("/\(folder)".shellQuoted):"$PATH" F=\(Fixture.folder.shellQuoted) IFS=$'\\n'
    \(script)
    """
  guard let stream = unsafe popen("exec bash -c \(whole.shellQuoted)", "r") else {
    throw Unavailable("bash")
  }
  var bytes: [UInt8] = []
  while case let byte = unsafe getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
  let status = unsafe pclose(stream)
  return (String(decoding: bytes, as: UTF8.self), status >> 8 & 0xff)
}

/// A test that needs a program which is not there.
struct Unavailable: Error {
  let program: String
  init(_ program: String) { self.program = program }
}
