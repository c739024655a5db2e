// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusFiles
import ApusLive
import ApusPresentations
import ApusRecords
import ApusStills
import TestSupport
import Testing

@testable import ApusCommand

struct SchemaTests {
  private static var files: [SchemaFile] {
    [
      SchemaFile(
        "codecs", "apus codecs --json", "The encoders and decoders of this machine, as one object.",
        CodecsReport.form),
      SchemaFile(
        "convert", "apus convert --json",
        """
        One object per line for each photo, in the order in which they finish, and one for the run at the end; with \
        --dry-run one for each photo that would be written.
        """, PhotoReport.form, RunSummary.form, DryRunLine.form),
      SchemaFile(
        "depth", "the numbers that apus extract writes next to a depth map",
        "The value of a sample is minimum + (maximum - minimum) * sample / (2^bit_depth - 1).",
        DepthNumbers.form),
      SchemaFile(
        "doctor", "apus doctor --json", "The results for a server or a camera, as one object.",
        DoctorReport.form, CameraReport.form),
      SchemaFile(
        "edit", "apus edit --json, apus hvcc fix --json",
        "The result for one file, as one line. Several files give one line each.",
        EditReport.form),
      SchemaFile(
        "export", "apus export --json",
        """
        One object per line for each file, in the order in which they finish, and one for the run at the end; with \
        --dry-run one for each file, in the order in which they are found.
        """, ExportedFile.form, RunSummary.form, ExportPlan.form),
      SchemaFile(
        "extract", "apus extract --json",
        """
        One object per line for each photo, in the order in which they finish, and one for the run at the end; with \
        --list one for each file, with --track one for each output.
        """, ExtractedPhoto.form, RunSummary.form, ListedFile.form, ExtractedTrack.form),
      SchemaFile(
        "hls", "apus hls check --json",
        """
        The findings in all presentations, or the rules (--rules); an empty list if nothing is found.
        """, .list(FoundInFile<PresentationFinding>.form), .list(ListedRule.form)),
      SchemaFile(
        "hvcc", "apus hvcc show --json, apus hvcc check --json, apus hvcc diff --json",
        """
        The records of all files, the findings of the rules, the rules (--rules), or the differences of two records. \
        The output of apus hvcc fix is described in edit.schema.json.
        """, .list(RecordListing.form), .list(FoundInFile<RecordFinding>.form),
        .list(ListedRule.form), RecordComparison.form),
      SchemaFile(
        "info", "apus info --json",
        """
        The facts of one file. Several files give one object each, on separate lines. Members that are not \
        required are absent if unknown.
        """, InfoAnswer.form),
      SchemaFile(
        "pair", "apus pair --json",
        "The result for a picture and its video, as one line. Several pairs give one line each.",
        PairReport.form),
      SchemaFile(
        "receive", "apus receive --json",
        "One object on a line of its own for each event. No member contains a secret key.",
        IngestEvent.form),
      SchemaFile(
        "recover", "apus recover --json", "The result for a damaged movie, as one line.",
        RecoveredLine.form),
      SchemaFile(
        "remux", "apus remux --json",
        """
        One line for each input. To hls all inputs become one presentation, which is one line; from FLV to FLV tags \
        are copied.
        """, RemuxLine.form, RetaggedLine.form, HLSLine.form),
      SchemaFile(
        "stream", "apus stream --json",
        """
        One object on a line of its own for each event; the last one is the end. Times are milliseconds of the \
        stream.
        """, StreamLine.form),
      SchemaFile(
        "thumbnail", "apus thumbnail --json",
        """
        One object per line for each photo, in the order in which they finish, and one for the run at the end; with \
        --dry-run one for each photo that would be written.
        """, MadeThumbnail.form, RunSummary.form, DryRunLine.form),
      SchemaFile(
        "transcode", "apus transcode --json",
        """
        One line for each event: the progress about once a second, with --report the quality of each picture, and \
        the result of each input.
        """, Pace.form, ComparedPicture.form, TranscodeDone.form),
    ]
  }

  /// `APUS_WRITE_SCHEMAS=1` in the environment writes the files instead.
  @Test(arguments: files.map(\.name)) func `it is what the declarations say`(_ name: String) throws
  {
    let text = try #require(Self.files.first { $0.name == name }).text()
    let path = "\(Fixture.folder)../Sources/ApusCommand/Schemas/\(name).schema.json"
    if Terminal.environment("APUS_WRITE_SCHEMAS") != nil {
      _ = try bash("printf %s \(text.shellQuoted) > \(path.shellQuoted)")
    }
    let source = try FileSource(path)
    #expect(String(decoding: try source.bytes(in: 0..<source.count), as: UTF8.self) == text)
  }
}
