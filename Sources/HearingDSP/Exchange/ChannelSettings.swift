/// The numbers of one channel's settings that are not sections.
struct ChannelSettings {
  /// Broadband gain as an amplitude ratio.
  var broadband: Float = 1
  /// Its logarithm to base 2.
  var broadbandGain: Float = 0
  /// The greatest magnitude that may leave.
  var ceiling: Float = .greatestFiniteMagnitude
  /// The greatest magnitude of an input sample that is taken for sound.
  var plausible: Float = Self.leastPlausible
  /// Whether every gain is zero, so that the output is the input.
  var isFlat = true
  /// Whether any gain depends on level.
  var isLevelDependent = false

  /// No smaller magnitude is ever taken for a broken sample.
  static var leastPlausible: Float { 16 }
}
