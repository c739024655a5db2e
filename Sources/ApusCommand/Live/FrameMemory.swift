// SPDX-License-Identifier: MIT

import CApusSandbox

/// The memory of frames, thousands of which are allocated and freed.
enum FrameMemory {
  /// Keeps freed memory in the process: returning it to the system after each frame takes as long as sending the frame.
  static func keep() { apus_keep_freed(32 << 20) }
}
