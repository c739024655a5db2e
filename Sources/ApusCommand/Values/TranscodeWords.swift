// SPDX-License-Identifier: MIT

import ApusTranscode

extension TranscodePreset: ArgumentValue {}
extension AudioSettings.Codec: ArgumentValue {}
