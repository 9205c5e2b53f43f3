// The part of the report that the render side measures, packed into one atomic word. The word does
// not contain the drift, the lag and the counts.
extension EchoReport {
  /// The report in one word.
  var word: UInt64 {
    var word: UInt64 =
      switch path {
      case .unknown: 0
      case .absent: 1
      case .present: 2
      }
    switch problem {
    case .referenceIsLate: word |= 1 << 2
    case .delayIsTooLong: word |= 2 << 2
    case .renderingHasStopped: word |= 3 << 2
    case .capturingHasStopped, nil: break
    }
    var time: Float = 0x1FFF
    if let delay { time = min(max(Float(delay), 0), 0.8) * 10_000 + 0.5 }
    word |= Self.bits(time) << 4
    word |= Self.bits(ofLevel: returnLoss) << 17
    word |= Self.bits(ofLevel: cancellation) << 28
    word |= Self.bits(ofLevel: reduction) << 39
    return word
  }

  private static func bits(ofLevel level: Double?) -> UInt64 {
    guard let level else { return 0x7FF }
    return bits((min(100, max(-100, Float(level))) + 100) * 10 + 0.5)
  }

  // Converts through a 32-bit integer, because a direct conversion may be a generic call.
  private static func bits(_ number: Float) -> UInt64 { UInt64(UInt32(number)) }

  /// Unpacks a report.
  init(word: UInt64) {
    switch word & 3 {
    case 1: path = .absent
    case 2: path = .present
    default: path = .unknown
    }
    switch word >> 2 & 3 {
    case 1: problem = .referenceIsLate
    case 2: problem = .delayIsTooLong
    case 3: problem = .renderingHasStopped
    default: problem = nil
    }
    delay = Self.value(word >> 4, bits: 13).map { Double($0) / 10_000 }
    returnLoss = Self.level(word >> 17)
    cancellation = Self.level(word >> 28)
    reduction = Self.level(word >> 39)
  }

  /// The number in the lowest `bits` bits; nil if all these bits are set.
  private static func value(_ word: UInt64, bits: UInt64) -> Int? {
    let mask: UInt64 = (1 << bits) - 1
    return word & mask == mask ? nil : Int(word & mask)
  }

  /// The level in dB that the lowest 11 bits encode: the number of steps of 0.1 dB above −100 dB.
  /// If all these bits are set, the level is nil.
  private static func level(_ word: UInt64) -> Double? {
    value(word, bits: 11).map { Double($0) / 10 - 100 }
  }
}
