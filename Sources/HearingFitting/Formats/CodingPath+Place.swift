extension [any CodingKey] {
  /// A path as one writes it: "left.points[3].threshold".
  package var place: String {
    var place = ""
    for key in self {
      if let index = key.intValue {
        place += "[\(index)]"
      } else {
        place += (place.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return place.singleLine(limit: 200)
  }
}
