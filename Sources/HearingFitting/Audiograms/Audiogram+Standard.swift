/// The ten standard audiograms for the measurement of hearing aids.
///
/// Source: Bisgaard, Vlaming & Dahlquist, "Standard audiograms for the IEC 60118-15 measurement
/// procedure", Trends in Amplification 14 (2010). In the audiograms N1 to N7, the thresholds rise
/// little or moderately with frequency. The hearing loss increases from very mild in N1 to profound
/// in N7. In the audiograms S1 to S3, the thresholds rise steeply with frequency.
extension Audiogram {
  /// All ten standard audiograms, with the names N1 to N7 and S1 to S3 from the literature.
  public static let standards: [(name: String, audiogram: Audiogram)] = [
    ("N1", n1), ("N2", n2), ("N3", n3), ("N4", n4), ("N5", n5), ("N6", n6), ("N7", n7), ("S1", s1),
    ("S2", s2), ("S3", s3),
  ]

  /// The standard audiogram with a name such as "N3" or "s1"; nil if the name is unknown. The name
  /// is not case-sensitive.
  public static func standard(named name: String) -> Audiogram? {
    let uppercased = name.uppercased()
    return standards.first { $0.name == uppercased }?.audiogram
  }

  /// The standard audiogram N1: a very mild hearing loss.
  public static let n1 = standard(10, 10, 10, 10, 10, 10, 15, 20, 30, 40)
  /// The standard audiogram N2: a mild hearing loss.
  public static let n2 = standard(20, 20, 20, 22.5, 25, 30, 35, 40, 45, 50)
  /// The standard audiogram N3: a moderate hearing loss.
  public static let n3 = standard(35, 35, 35, 35, 40, 45, 50, 55, 60, 65)
  /// The standard audiogram N4: a moderate to severe hearing loss.
  public static let n4 = standard(55, 55, 55, 55, 55, 60, 65, 70, 75, 80)
  /// The standard audiogram N5: a severe hearing loss.
  public static let n5 = standard(65, 67.5, 70, 72.5, 75, 80, 80, 80, 80, 80)
  /// The standard audiogram N6: a severe hearing loss.
  public static let n6 = standard(75, 77.5, 80, 82.5, 85, 90, 90, 95, 100, 100)
  /// The standard audiogram N7: a profound hearing loss.
  public static let n7 = standard(90, 92.5, 95, 100, 105, 105, 105, 105, 105, 105)
  /// The standard audiogram S1: a very mild, steeply sloping hearing loss.
  public static let s1 = standard(10, 10, 10, 10, 10, 10, 15, 30, 55, 70)
  /// The standard audiogram S2: a mild, steeply sloping hearing loss.
  public static let s2 = standard(20, 20, 20, 22.5, 25, 35, 55, 75, 95, 95)
  /// The standard audiogram S3: a moderate to severe, steeply sloping hearing loss.
  public static let s3 = standard(30, 30, 35, 47.5, 60, 70, 75, 80, 80, 85)

  private static func standard(_ thresholds: Double...) -> Audiogram {
    let frequencies: [Double] = [250, 375, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]
    precondition(thresholds.count == frequencies.count, "\(thresholds.count) thresholds")
    return Audiogram(
      validated: zip(frequencies, thresholds).map { Point(frequency: $0, threshold: $1) })
  }
}
