import HearingPluginRuntime

/// The ranges and default values of the control ports. The tables for hosts in
/// Runtime/descriptors.c contain the same ranges and default values.
enum PluginPort {
  /// The frequencies in Hz of the eight thresholds of an ear.
  static let thresholdFrequencies: [Double] = [250, 500, 1_000, 2_000, 3_000, 4_000, 6_000, 8_000]

  /// Returns the default value for NaN; otherwise limits the value to the range of the port.
  @inline(__always)
  static func valid(_ value: Float, port: Int) -> Float {
    let range = range(of: port)
    guard value == value else { return range.usual }
    return max(range.lower, min(range.upper, value))
  }

  /// The range and the default value of a control.
  @inline(__always)
  static func range(of port: Int) -> (lower: Float, usual: Float, upper: Float) {
    switch port {
    case PortFullScale: (60, 100, 140)
    case PortProgram: (0, 0, 1)
    case PortThresholds..<PortReduction: (-10, 0, 120)
    default: (0, 1, 1)
    }
  }
}
