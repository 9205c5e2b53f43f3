/// One straight piece of a gain curve, from a level upwards.
struct CurveSegment {
  /// The level in dB SPL at which it begins.
  var level: Float
  /// The gain in dB there.
  var gain: Float
  /// Growth of gain with level, dB per dB.
  var slope: Float
}
