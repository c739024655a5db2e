// SPDX-License-Identifier: MIT

import Transport

extension Stream {
  /// Publishes to where a service says.
  func publish(by coding: StreamCoding?, _ console: Console) throws -> ExitStatus {
    guard urls.isEmpty, targets == nil, backup == nil, app == nil else {
      throw UsageError("the service says where the stream goes: no URL, no --targets, no --backup")
    }
    guard service.url == nil || service.file == nil else {
      throw UsageError("--config-url and --config-file contradict each other")
    }
    let secret = try key.key()
    var link = ClientOptions()
    link.trust = try trust.trust(console)
    return try StreamJob(self, coding, link, console).run {
      try service.destination(of: $0, of: self, secret, link.trust, console)
    }
  }
}
