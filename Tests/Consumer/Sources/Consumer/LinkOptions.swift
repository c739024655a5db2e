// SPDX-License-Identifier: MIT

// begin
import ApusLive
import ApusTLS
import ApusTransport
import RTMP

/// A server with a certificate of one's own that must answer soon.
func target(_ url: String, trusting certificate: String) throws(SessionError) -> BroadcastTarget {
  var link = ClientOptions()
  link.trust = .file(certificate)
  link.deadlines.connect = .seconds(3)
  return BroadcastTarget(id: 1, [try Address(url)], PublishOptions(), link)
}
// end
