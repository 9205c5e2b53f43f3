extension Audiogram: Codable {
  private enum Key: String, CodingKey {
    case points
  }

  /// Reads `{"points": [{"frequency": 250, "threshold": 35}, …]}`, as described at
  /// ``HearingProfile/init(json:)``.
  ///
  /// - Throws: `DecodingError` with the path and the reason.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    var list = try container.nestedUnkeyedContainer(forKey: .points)
    var points: [Point] = []
    while !list.isAtEnd {
      guard points.count < Self.maximumPointCount else {
        throw DecodingError.dataCorruptedError(
          in: list,
          debugDescription: "more than \(Self.maximumPointCount) points are not read")
      }
      points.append(try list.decode(Point.self))
    }
    do {
      try self.init(importing: points)
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .points, in: container, debugDescription: error.description)
    }
  }

  /// Writes the points, by rising frequency.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(points, forKey: .points)
  }
}

extension Audiogram.Point: Codable {
  private enum Key: String, CodingKey {
    case frequency
    case threshold
    case isMasked
    case isNoResponse
    case isClamped
  }

  /// Reads a point; a flag that is missing is false.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      frequency: try container.value(Double.self, at: .frequency),
      threshold: try container.value(Double.self, at: .threshold),
      isMasked: try container.optionalValue(Bool.self, at: .isMasked) ?? false,
      isNoResponse: try container.optionalValue(Bool.self, at: .isNoResponse) ?? false,
      isClamped: try container.optionalValue(Bool.self, at: .isClamped) ?? false)
  }

  /// Writes a point; flags only where they are set.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(frequency, forKey: .frequency)
    try container.encode(threshold, forKey: .threshold)
    if isMasked { try container.encode(true, forKey: .isMasked) }
    if isNoResponse { try container.encode(true, forKey: .isNoResponse) }
    if isClamped { try container.encode(true, forKey: .isClamped) }
  }
}
