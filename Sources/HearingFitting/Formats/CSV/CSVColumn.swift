/// What a column of a table of thresholds holds, told by its header.
enum CSVColumn: Hashable {
  case frequency(inHertz: Int)
  case threshold(Ear)
  case isMasked(Ear)
  case isNoResponse(Ear)

  /// What a header means: "frequency_hz", "Left (dB HL)", "right_masked" and the like, in any case
  /// and with any punctuation; nil for all others.
  init?(header: some StringProtocol) {
    guard header.utf8.count <= 100 else { return nil }
    var name = String(header.lowercased().filter { $0.isLetter || $0.isNumber })
    for (unit, factor) in [("khz", 1000), ("hz", 1), ("", 1)] where name.hasSuffix(unit) {
      if ["frequency", "freq", "f", unit.isEmpty ? "frequency" : ""].contains(
        String(name.dropLast(unit.count)))
      {
        self = .frequency(inHertz: factor)
        return
      }
    }
    for (ear, starts) in [(Ear.left, ["left", "l"]), (.right, ["right", "r"])] {
      guard let start = starts.first(where: name.hasPrefix) else { continue }
      name.removeFirst(start.count)
      if name.hasPrefix("ear") { name.removeFirst(3) }
      if name.hasPrefix("threshold") { name.removeFirst(9) }
      switch name {
      case "", "dbhl", "db", "hl": self = .threshold(ear)
      case "masked", "ismasked": self = .isMasked(ear)
      case "noresponse", "isnoresponse", "nr": self = .isNoResponse(ear)
      default: return nil
      }
      return
    }
    return nil
  }
}
