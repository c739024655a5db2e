// SPDX-License-Identifier: MIT

/// Every verb of the command, in the order in which help shows them.
let verbs: [any Verb.Type] = [
  Convert.self, Export.self, Thumbnail.self, Extract.self, Pair.self, Remux.self,
  Recover.self,
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

/// Verbs of worker processes, which help does not list.
let hiddenVerbs: [any Verb.Type] = [
  ServeWorker.self, ServeSizes.self, ServeProperties.self, Worker<Convert>.self,
  Worker<Thumbnail>.self, Worker<Extract>.self,
  Worker<Export>.self, DecodeWorker.self,
]

/// Verbs of two words that share their first.
let verbGroups = [
  VerbGroup("hvcc", "show, check, repair, build and compare configuration records"),
  VerbGroup("flv", "show, check and convert Flash Video files with HEVC"),
  VerbGroup("hls", "check HTTP Live Streaming presentations"),
]
