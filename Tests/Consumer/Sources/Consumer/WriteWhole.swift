// SPDX-License-Identifier: MIT

// begin
import ApusFiles

/// Writes a file that appears whole or not at all; returns `nil` if the name is taken.
func write(_ bytes: [UInt8], to path: String) throws(FileError) -> String? {
  guard let output = try FileOutput(path, onExists: .skip) else { return nil }
  try output.writer.write(bytes.span)
  return try output.commit()
}
// end
