// SPDX-License-Identifier: MIT

/// Content protection systems, as registered with the DASH Industry Forum.
public enum ProtectionSystem {
  /// Returns the name of a system; `nil` if its ID is unknown.
  public static func name(of id: [UInt8]) -> String? { names[id] }

  private static let names: [[UInt8]: String] = Dictionary(
    uniqueKeysWithValues: all.map { ($0.bytes, $0.name) })

  private static let all = [
    UserType("edef8ba9-79d6-4ace-a3c8-27dcd51d21ed", "Widevine"),
    UserType("9a04f079-9840-4286-ab92-e65be0885f95", "PlayReady"),
    UserType("94ce86fb-07ff-4f43-adb8-93d2fa968ca2", "FairPlay"),
    UserType("29701fe4-3cc7-4a34-8c5b-ae90c7439a47", "Netflix FairPlay"),
    UserType("1077efec-c0b2-4d02-ace3-3c1e52e2fb4b", "ClearKey (W3C common)"),
    UserType("e2719d58-a985-b3c9-781a-b030af78d30e", "ClearKey (DASH-IF)"),
    UserType("3ea8778f-7742-4bf9-b18b-e834b2acbd47", "ClearKey (HLS AES-128)"),
    UserType("be58615b-19c4-4684-88b3-c8c57e99e957", "ClearKey (HLS SAMPLE-AES)"),
    UserType("5e629af5-38da-4063-8977-97ffbd9902d4", "Marlin"),
    UserType("69f908af-4816-46ea-910c-cd5dcccb0a3a", "Marlin"),
    UserType("a68129d3-575b-4f1a-9cba-3223846cf7c3", "VideoGuard"),
    UserType("6a99532d-869f-5922-9a91-113ab7b1e2f3", "MobiTV DRM"),
    UserType("adb41c24-2dbf-4a6d-958b-4457c0d27b95", "Nagra"),
    UserType("9a27dd82-fde2-4725-8cbc-4234aa06ec09", "Verimatrix"),
    UserType("f239e769-efa3-4850-9c16-a903c6932efb", "Adobe Primetime"),
    UserType("80a6be7e-1448-4c37-9e70-d5aebe04c8d2", "Irdeto"),
    UserType("b4413586-c58c-ffb0-94a5-d4896c1af6c3", "Viaccess-Orca"),
    UserType("279fe473-512c-48fe-ade8-d176fee6b40f", "Arris Titanium"),
    UserType("37c33258-7b99-4c7e-b15d-19af74482154", "Commscope Titanium V3"),
    UserType("992c46e6-c437-4899-b6a0-50fa91ad0e39", "SecureMedia SteelKnot"),
    UserType("1f83e1e8-6ee9-4f0d-ba2f-5ec4e3ed1a66", "SecureMedia"),
    UserType("3d5e6d35-9b9a-41e8-b843-dd3c6e72c42c", "ChinaDRM"),
    UserType("6dd8b3c3-45f4-4a68-bf3a-64168d01a4a6", "ABV DRM"),
    UserType("616c7469-6361-7374-2d50-726f74656374", "Alticast"),
    UserType("644fe7b5-260f-4fad-949a-0762ffb054b4", "OMA DRM (CMLA)"),
    UserType("45d481cb-8fe0-49c0-ada9-ab2d2455b2f2", "CoreCrypt"),
    UserType("dcf4e3e3-62f1-5818-7ba6-0a6fe33ff3dd", "DigiCAP SmartXess"),
    UserType("35bf197b-530e-42d7-8b65-1b4bf415070f", "DivX DRM"),
    UserType("aa11967f-cc01-4a4a-8e99-c5d3dddfea2d", "UDRM"),
    UserType("793b7956-9f94-4946-a942-23e7ef7e44b4", "VisionCrypt"),
  ]
}
