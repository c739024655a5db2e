// SPDX-License-Identifier: MIT

import CSandbox

/// The memory of frames, which come and go by the thousand.
enum FrameMemory {
  /// Handing it back to the system after each frame takes as long as sending the frame.
  static func keep() { apus_keep_freed(32 << 20) }
}
