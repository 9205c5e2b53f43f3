public import HearingFitting

/// An audiogram as clinics draw it.
///
///     let picture = AudiogramPicture(HearingProfile(left: .n2, right: .s1))
///     try picture.svg.data.write(to: url)
///
/// Frequency runs to the right, on a logarithmic axis from 125 Hz to 8 kHz (further where there are
/// points beyond), hearing level downwards from -10 to 120 dB HL; an octave is as wide as 20 dB are
/// high. The right ear has red circles and a solid line, the left ear blue crosses and a dashed
/// one; points measured with masking have triangles and squares instead. A point without a response has
/// an arrow, and no line leads to it. Behind it lie the grades of hearing loss of the World Health
/// Organization (2021). Symbols and lines follow ANSI S3.21 and ASHA's guidelines (1990).
///
/// An unknown ear is not drawn, and the legend says so.
///
/// This type is not for bone conduction or loudness levels, which profiles do not hold.
public struct AudiogramPicture: Sendable, Equatable {
  /// What is drawn.
  public var profile: HearingProfile
  /// Whose thresholds stand in for a measurement, which the legend says.
  public var estimatedEars: Set<Ear>
  /// What stands above the picture; cut off where it is too long for a line.
  public var title: String

  /// A picture of a profile.
  ///
  /// - Parameters:
  ///   - profile: What is drawn.
  ///   - estimatedEars: Whose thresholds stand in for a measurement; nil: all if the profile's
  ///     method is `.estimate`, else none.
  ///   - title: What stands above the picture.
  public init(
    _ profile: HearingProfile, estimatedEars: Set<Ear>? = nil, title: String = "Audiogram"
  ) {
    self.profile = profile
    self.estimatedEars = profile.estimatedEars(unless: estimatedEars)
    self.title = title
  }

  /// The picture.
  public var svg: SVGPicture {
    let drawing = AudiogramDrawing(profile, estimatedEars: estimatedEars)
    var canvas = Canvas()
    canvas.pictureTitle(title)
    let height = drawing.draw(on: &canvas)
    return SVGPicture(
      title: title, summary: summary, height: height, elements: canvas.elements)
  }

  private var summary: String {
    let ears = Ear.clinicalOrder.map { ear in
      guard let audiogram = profile[ear] else { return "\(ear.title): not measured." }
      let points = audiogram.points.map { point in
        "\(point.frequency.readable()) Hz \(point.threshold.readable())"
          + (point.isMasked ? " masked" : "") + (point.isNoResponse ? " no response" : "")
      }
      let kind = estimatedEars.contains(ear) ? "estimated thresholds" : "thresholds"
      return "\(ear.title), \(kind) in dB HL: \(points.joined(separator: ", "))."
    }
    return ears.joined(separator: " ")
  }
}
