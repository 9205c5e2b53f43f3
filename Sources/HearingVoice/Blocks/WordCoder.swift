/// A value that fits into one atomic word of 64 bits.
///
/// The function ``code(_:)`` passes each field of the value to a ``WordCoder``. The coder either
/// packs the field into the word, or unpacks the field from the word.
protocol PackedWord {
  /// Creates a value with default fields. To unpack a word, such a value is created first. Then the
  /// function `code(_:)` sets the fields of the value.
  init()

  /// Passes each field to `coder`, always in the same order.
  mutating func code(_ coder: inout WordCoder)
}

extension PackedWord {
  /// Unpacks a value.
  init(word: UInt64) {
    self.init()
    var coder = WordCoder(reading: word)
    code(&coder)
  }

  /// This value, packed into one word. A field with a range is clamped to the range.
  var word: UInt64 {
    var (copy, coder) = (self, WordCoder())
    copy.code(&coder)
    return coder.word
  }
}

/// Packs the fields of a value into a word, or unpacks the fields from a word.
struct WordCoder {
  private(set) var word: UInt64
  /// The index of the lowest bit of the next field in the word.
  var position: UInt64 = 0
  private let isReading: Bool

  /// Creates a coder that unpacks fields from `word`. If `word` is nil, the coder packs fields.
  init(reading word: UInt64? = nil) {
    self.word = word ?? 0
    isReading = word != nil
  }

  /// Packs or unpacks the lowest `bits` bits of a number.
  mutating func code(_ number: inout UInt32, bits: UInt64) {
    let mask: UInt64 = (1 << bits) - 1
    if isReading {
      number = UInt32(truncatingIfNeeded: word >> position & mask)
    } else {
      word |= (UInt64(number) & mask) << position
    }
    position += bits
  }

  /// Packs or unpacks a flag.
  mutating func code(_ flag: inout Bool) {
    var number: UInt32 = flag ? 1 : 0
    code(&number, bits: 1)
    flag = number == 1
  }

  /// Packs or unpacks one bit, which says whether `value` equals `special`. For an enumeration,
  /// call this function once for each case that differs from the default of the field.
  mutating func code<Value: Equatable>(_ value: inout Value, as special: Value) {
    var isSpecial = value == special
    code(&isSpecial)
    if isSpecial { value = special }
  }

  /// Packs or unpacks a number in `range`. The difference between the number and the lower bound is
  /// rounded to a multiple of 1 / `steps`.
  mutating func code(
    _ value: inout Double, in range: ClosedRange<Double>, steps: Double, bits: UInt64
  ) {
    let bounded = min(range.upperBound, max(range.lowerBound, value))
    var number = UInt32((bounded - range.lowerBound) * steps + 0.5)
    code(&number, bits: bits)
    value = Double(number) / steps + range.lowerBound
  }

  /// Packs or unpacks an optional number in `range`.
  mutating func code(
    _ value: inout Double?, in range: ClosedRange<Double>, steps: Double, bits: UInt64
  ) {
    var number = value ?? range.lowerBound
    var isNil = value == nil
    code(&isNil)
    code(&number, in: range, steps: steps, bits: bits)
    value = isNil ? nil : number
  }
}
