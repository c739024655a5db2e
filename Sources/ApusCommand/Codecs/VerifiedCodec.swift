// SPDX-License-Identifier: MIT

import ApusMedia
import ApusTranscode

/// An encoder or decoder with what it does.
struct VerifiedCodec {
  var role: CodecFacts.Role
  var id: String
  var verification: CodecVerification
}
