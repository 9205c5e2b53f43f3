import HearingDSP

/// The form in which a bell filter is implemented.
package enum FilterForm {
  case direct
  case stateVariable

  /// Filters `input` with one bell filter at each frequency in `centers`, in single or double
  /// precision.
  ///
  /// Each row of `gains` is used for `interval` samples. In this interval, the coefficients move
  /// linearly to the coefficients of the next row. If `isStepped` is true, they jump at the start
  /// of the interval.
  package func rendered(
    _ input: [Float], rate: Double, centers: [Double] = BandLayout.audiometric.centers,
    gains: [[Double]], interval: Int, isStepped: Bool = false, isSingle: Bool
  ) -> [Double] {
    func rendered<Bell: MovingBell>(by form: Bell.Type) -> [Double] {
      func design(_ row: [Double]) -> [[Bell.Number]] {
        zip(centers, row).map { Bell.design($0, 1.5, $1, rate) }
      }
      var bells = zip(centers, gains[0]).map {
        Bell(frequency: $0, quality: 1.5, gain: $1, rate: rate)
      }
      var targets = design(gains[0])
      return input.enumerated().map { index, sample in
        if index % interval == 0 { targets = design(gains[min(index / interval, gains.count - 1)]) }
        let left = Bell.Number(interval - index % interval)
        var x = Bell.Number(sample)
        for band in bells.indices {
          bells[band].move(to: targets[band], fraction: isStepped ? 1 : 1 / left)
          x = bells[band].filter(x)
        }
        return Double(x)
      }
    }
    switch (self, isSingle) {
    case (.direct, true): return rendered(by: DirectForm<Float>.self)
    case (.direct, false): return rendered(by: DirectForm<Double>.self)
    case (.stateVariable, true): return rendered(by: StateVariableForm<Float>.self)
    case (.stateVariable, false): return rendered(by: StateVariableForm<Double>.self)
    }
  }
}
