// SPDX-License-Identifier: MIT

// begin
import ApusFFmpeg
import ApusMedia
import Synchronization

/// A step for a `TranscodeJob` that leaves out pictures after a time in seconds.
func leaveOut(after seconds: Int64) -> @Sendable (VideoFrame) throws(MediaError) -> VideoFrame? {
  { frame throws(MediaError) in
    frame.time.isBefore(RationalTime(seconds, per: 1)) ? frame : nil
  }
}
// end
