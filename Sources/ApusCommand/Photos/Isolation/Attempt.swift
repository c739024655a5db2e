// SPDX-License-Identifier: MIT

import ApusFiles
import ApusStills

/// An item in a worker process, with records of the files that the process writes for it before it reports.
struct Attempt {
  private(set) var item: BatchItem
  /// Complete files that were about to be renamed, keyed by their future names.
  private var finished: [String: FileIdentity] = [:]
  /// Incomplete files, to be deleted.
  private var begun: [String] = []
  /// Answers given to claims to output paths.
  private var claims: [String: OutputClaims.Claim] = [:]
  /// Answers given in earlier attempts, which are repeated to the next one.
  private var earlierClaims: [String: OutputClaims.Claim] = [:]

  init(_ item: BatchItem) { self.item = item }

  mutating func note(_ state: OutputState) {
    switch state {
    case .begun(let path): begun.append(path)
    case .finished(let path, let file): finished[path] = file
    case .made(let path, let final):
      item.made[path] = final
      begun = []
    }
  }

  mutating func claim(_ path: String, in source: any BatchSource) -> OutputClaims.Claim {
    let answer = earlierClaims.removeValue(forKey: path) ?? source.claim(path, for: item)
    claims[path] = claims[path] ?? answer
    return answer
  }

  /// Cleans up after a process that has ended, before the next attempt begins.
  func again() -> Attempt {
    var next = Attempt(item)
    for (path, file) in finished {
      if let name = file.name(near: path) { next.item.made[path] = name }
    }
    for path in begun { removeFile(path) }
    (next.claims, next.earlierClaims) = (claims, claims)
    return next
  }
}
