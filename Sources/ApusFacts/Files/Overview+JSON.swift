// SPDX-License-Identifier: MIT

internal import ApusJSON

extension Overview {
  /// Returns the facts and findings as one line of JSON, in the form that `apus info --json` prints.
  ///
  /// - Parameter file: the name of the file.
  public func json(file: String) -> String {
    var json = JSONWriter("")
    json.object { json in
      json.field("file", file)
      json.members(of: self)
      json.key("findings")
      findings.write(to: &json)
    }
    return json.output
  }
}
