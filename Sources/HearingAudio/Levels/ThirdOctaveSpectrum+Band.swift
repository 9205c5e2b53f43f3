internal import Foundation

extension ThirdOctaveSpectrum {
  /// A band a third of an octave wide (IEC 61260-1, base ten).
  public struct Band: Sendable, Equatable {
    /// The frequency in Hz by which the band is known, such as 1250.
    public let nominalFrequency: Double
    /// The lower edge in Hz.
    public let lowerEdge: Double
    /// The upper edge in Hz.
    public let upperEdge: Double

    /// The band around `frequency` in Hz, which need not be one of the standard's.
    public init(around frequency: Double) {
      self.init(nominalFrequency: frequency, center: frequency)
    }

    private init(nominalFrequency: Double, center: Double) {
      self.nominalFrequency = nominalFrequency
      lowerEdge = center * pow(10, -0.05)
      upperEdge = center * pow(10, 0.05)
    }

    /// The bands of the standard from 25 Hz to 20 kHz, from the lowest.
    public static let standard: [Band] = zip(14..., nominalFrequencies).map { number, nominal in
      Band(nominalFrequency: nominal, center: pow(10, Double(number) / 10))
    }

    private static let nominalFrequencies: [Double] = [
      25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600,
      2000, 2500, 3150, 4000, 5000, 6300, 8000, 10_000, 12_500, 16_000, 20_000,
    ]
  }
}
