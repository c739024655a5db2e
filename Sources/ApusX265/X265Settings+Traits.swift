// SPDX-License-Identifier: MIT

internal import ApusMedia

extension X265Settings {
  /// The properties of the pictures as x265 settings: size, colour, display. They precede `parameters`, which may
  /// override them.
  var description: [Parameter] {
    var list = [
      Parameter("input-res", "\(codedFormat.width)x\(codedFormat.height)"),
      Parameter("input-csp", "i" + format.chroma.name),
      Parameter("fps", "\(frameRate.count)/\(frameRate.seconds)"),
    ]
    // A picture cannot be smaller than a coding tree block of x265, 64 samples on each side.
    let side = min(codedFormat.width, codedFormat.height)
    if side < 64 { list.append(Parameter("ctu", side < 32 ? "16" : "32")) }
    if let colour = traits.colour {
      list += [
        Parameter("range", colour.isFullRange ? "full" : "limited"),
        Parameter("colorprim", "\(colour.primaries)"), Parameter("transfer", "\(colour.transfer)"),
        Parameter("colormatrix", "\(colour.matrix)"),
      ]
    }
    // The stream must not state it for other formats: ITU-T H.265, E.3.1.
    if let site = traits.chromaSite, format.chroma == .yuv420 {
      list.append(Parameter("chromaloc", "\(site.type)"))
    }
    if let aspect = traits.sampleAspect, aspect.horizontal > 0, aspect.vertical > 0 {
      list.append(Parameter("sar", "\(aspect.horizontal):\(aspect.vertical)"))
    }
    if let display = traits.masteringDisplay {
      list.append(Parameter("master-display", display.words))
    }
    if let light = traits.contentLight {
      list.append(Parameter("max-cll", "\(light.maximum),\(light.maximumAverage)"))
    }
    switch traits.fields {
    // The `pic_struct` of a frame that contains two fields: ITU-T H.265, table D.2.
    case .topFirst: list.append(Parameter("pic-struct", "3"))
    case .bottomFirst: list.append(Parameter("pic-struct", "4"))
    case .progressive, nil: break
    }
    return list
  }

  /// The format of coded pictures, with sides divisible as colour subsampling requires, which is all that a conformance
  /// window can crop (ITU-T H.265, 7.4.3.2.1). x265 itself pads to whole coding blocks and crops that.
  var codedFormat: PictureFormat {
    var format = format
    format.width = format.width(ofPlane: format.planeCount - 1) << format.chroma.shiftX
    format.height = format.height(ofPlane: format.planeCount - 1) << format.chroma.shiftY
    return format
  }
}

extension MasteringDisplay {
  /// The values in the form of `--master-display`.
  fileprivate var words: String {
    func pair(_ name: String, _ point: Chromaticity) -> String { "\(name)(\(point.x),\(point.y))" }
    return pair("G", green) + pair("B", blue) + pair("R", red) + pair("WP", white)
      + "L(\(maximumLuminance),\(minimumLuminance))"
  }
}
