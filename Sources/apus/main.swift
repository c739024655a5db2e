// SPDX-License-Identifier: MIT

import ApusCommand
import CPages
import FFmpeg

// The process is ours, and what it touched of its libraries costs more memory than a photo.
CodeMemory.onRelease { apus_give_back_all() }
Command.main()
