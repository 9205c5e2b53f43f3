#if hasFeature(Embedded)
  /// Replaces the standard protocol, because Embedded Swift has no coders. It has no requirements.
  protocol Codable {}

  // The functions of the C library that `CMath` calls, where no module declares them. They are
  // linked: from a C library on a microcontroller, from JavaScript in a browser.

  @_extern(c, "exp") func exp(_ x: Double) -> Double
  @_extern(c, "log") func log(_ x: Double) -> Double
  @_extern(c, "log2") func log2(_ x: Double) -> Double
  @_extern(c, "log10") func log10(_ x: Double) -> Double
  @_extern(c, "sin") func sin(_ x: Double) -> Double
  @_extern(c, "cos") func cos(_ x: Double) -> Double
  @_extern(c, "pow") func pow(_ base: Double, _ exponent: Double) -> Double
  @_extern(c, "erfc") func erfc(_ x: Double) -> Double
#endif
