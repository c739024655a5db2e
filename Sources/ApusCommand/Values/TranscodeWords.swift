// SPDX-License-Identifier: MIT

import Transcode

extension TranscodePreset: ArgumentValue {}
extension AudioSettings.Codec: ArgumentValue {}
