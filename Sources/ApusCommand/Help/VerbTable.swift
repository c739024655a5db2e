// SPDX-License-Identifier: MIT

/// Every verb of the command, in the order in which help shows them.
let verbs: [any Verb.Type] = [
  Convert.self, Export.self, Thumbnail.self, Extract.self, Pair.self, Remux.self,
  TranscodeVerb.self,
  Stream.self,
  Receive.self, Serve.self, Doctor.self, Info.self, Codecs.self, Inspect.self,
  ReportVerb.self,
  HvccShow.self, HvccCheck.self,
  HvccBuild.self, HvccFix.self, HvccDiff.self, FlvShow.self, FlvCheck.self, FlvConvert.self,
  HlsCheck.self,
  Edit.self, Help.self,
  Completions.self, Man.self, Version.self,
]

/// Verbs that the command starts itself with; no help names them.
let hiddenVerbs: [any Verb.Type] = [
  ServeWorker.self, ServeSizes.self, ServeProperties.self, Worker<Convert>.self,
  Worker<Thumbnail>.self, Worker<Extract>.self,
  Worker<Export>.self,
]

/// Verbs of two words that share their first.
let verbGroups = [
  VerbGroup("hvcc", "show decoder configuration records; check, repair and build those of HEVC"),
  VerbGroup("flv", "look into, check and rewrite Flash Video files, HEVC in either dialect"),
  VerbGroup("hls", "check presentations for HTTP Live Streaming, of whatever program"),
]
