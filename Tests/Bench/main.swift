// SPDX-License-Identifier: MIT

// Times that only a program in the same process can take; `Scripts/bench` runs it and the peers.
// One line for each figure: name, value, unit.

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "inspect": try benchInspect(path: arguments.dropFirst().first ?? "")
case "hvcc": try benchHvcc(path: arguments.dropFirst().first ?? "")
case "flv": try benchFlv(path: arguments.dropFirst().first ?? "")
case "colour": try benchColour()
case "rtmp": try benchRTMP()
case "decode": try benchDecode(Array(arguments.dropFirst()))
case "encode": try benchEncode(Array(arguments.dropFirst()))
case "likeness": try benchLikeness(Array(arguments.dropFirst()))
case "coders": try benchCoders(Array(arguments.dropFirst()))
default:
  print(
    "usage: Bench inspect|hvcc|flv FILE, coders FILE [FILTER [ENCODER]], decode PHOTO, "
      + "encode QUALITIES ENCODERS Y4M... [FOLDER/], likeness Y4M Y4M, colour, rtmp"
  )
}
