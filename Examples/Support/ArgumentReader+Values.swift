public import HearingFitting

extension ArgumentReader {
  /// Reads the value of the current option as a number. NaN, infinity and values outside `range`
  /// are errors.
  public mutating func number(in range: ClosedRange<Double>) throws(UsageError) -> Double {
    let value = try text()
    guard let number = Self.decimal(value) else {
      throw .notANumber(option: option, value: value)
    }
    guard range.contains(number) else {
      throw .outOfRange(option: option, value: value, permitted: Self.text(of: range))
    }
    return number
  }

  /// The decimal number in a text; nil if the text is not a decimal number. Hexadecimal numbers,
  /// which `Double(_:)` accepts, are not decimal.
  public static func decimal(_ text: String) -> Double? {
    text.lowercased().contains("x") ? nil : Double(text)
  }

  /// Reads the value of the current option as a whole number. A value outside `range` is an error.
  public mutating func integer(in range: ClosedRange<Int>) throws(UsageError) -> Int {
    let value = try text()
    guard value.wholeMatch(of: /[+-]?[0-9]+/) != nil else {
      throw .notAWholeNumber(option: option, value: value)
    }
    // A number with too many digits for an Int is also out of range.
    guard let number = Int(value), range.contains(number) else {
      throw .outOfRange(option: option, value: value, permitted: Self.text(of: range))
    }
    return number
  }

  /// Reads the value of the current option and returns the case of `Choice` with this raw value.
  public mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ type: Choice.Type = Choice.self
  ) throws(UsageError) -> Choice {
    let value = try text()
    guard let choice = Choice(rawValue: value) else {
      throw .unknownValue(
        option: option, value: value, permitted: Choice.allCases.map(\.rawValue))
    }
    return choice
  }

  /// Reads the value of the current option as a number and returns the case of `Choice` with this
  /// number.
  public mutating func numberedChoice<Choice: RawRepresentable<Int> & CaseIterable>(
    _ type: Choice.Type = Choice.self
  ) throws(UsageError) -> Choice {
    let value = try text()
    guard let choice = Choice.allCases.first(where: { "\($0.rawValue)" == value }) else {
      throw .unknownValue(
        option: option, value: value, permitted: Choice.allCases.map { "\($0.rawValue)" })
    }
    return choice
  }

  /// Reads the value of the current option as the name of a prescription rule.
  public mutating func rule() throws(UsageError) -> PrescriptionRule {
    let value = try text()
    guard let rule = PrescriptionRule(name: value) else {
      throw .unknownValue(
        option: option, value: value, permitted: PrescriptionRule.all.map(\.name))
    }
    return rule
  }

  /// Reads the value of the current option as a kind of sound: "speech" or "music".
  public mutating func program() throws(UsageError) -> Program {
    let value = try text()
    let programs = [Program.speech, .music]
    guard let program = programs.first(where: { $0.rawValue == value }) else {
      throw .unknownValue(option: option, value: value, permitted: programs.map(\.rawValue))
    }
    return program
  }

  /// Formats a range for error messages, without unnecessary decimals: 0…1, not 0.0…1.0.
  public static func text<Bound: Comparable>(of range: ClosedRange<Bound>) -> String {
    "\(text(range.lowerBound))…\(text(range.upperBound))"
  }

  private static func text<Number>(_ number: Number) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Reads the value of the current option as a calendar day.
  public mutating func day() throws(UsageError) -> CalendarDay {
    let value = try text()
    guard let day = CalendarDay(value) else { throw .notADay(option: option, value: value) }
    return day
  }
}
