extension VoiceSpectrum {
  /// Fills the tables.
  func design() {
    // Power of a Hann window: 3/8; both sides of the spectrum.
    let scale = (2 / (256 * 256 * 0.375)).squareRoot()
    for index in 0..<256 {
      let place = 2 * .pi * (Double(index) + 0.5) / 256
      window[index] = Float(scale * (0.5 - 0.5 * Elementary.cosine(place)))
    }
    func set(_ table: UnsafeMutablePointer<Float>, _ index: Int, _ distance: Int, turn: Double) {
      table[index] = Float(Elementary.cosine(2 * .pi * turn))
      table[index + distance] = Float(-Elementary.cosine(2 * .pi * turn - .pi / 2))
    }
    for index in 0..<16 { set(turns, index, 16, turn: Double(index) / 32) }
    for row in 0..<32 {
      for lane in 0..<4 { set(joints, 4 * row + lane, 128, turn: Double(row * lane) / 128) }
    }
    for index in 0..<128 { set(halves, index, 128, turn: Double(index) / 256) }
  }
}
