public import Foundation
public import HearingFitting

/// A page that explains a fitting to the listener, with pictures, tables and definitions of terms.
///
///     var report = FittingReport(profile: profile, preset: preset)
///     report.sections.append(ReportSection(title: "Measured", blocks: [.table(table)]))
///     try report.data.write(to: url)           // a file that ends in .html
///
/// The page is a self-contained HTML document in English, without scripts or external resources.
/// The page uses the reader's light or dark colour scheme, can be printed, and works with a screen
/// reader. Equal inputs produce equal pages.
///
/// The page lists missing data, estimated data, and findings that a professional should examine.
/// The page is not a diagnosis.
public struct FittingReport: Sendable, Equatable {
  /// The title of the page. The text may come from an untrusted source.
  public var title: String
  /// The sections of the page, in order. An app may add its own sections.
  public var sections: [ReportSection]

  private let measurement: String

  /// Creates a report on a profile and the preset that was computed from it.
  ///
  /// - Parameters:
  ///   - profile: The hearing profile of the listener.
  ///   - preset: The listener's preset.
  ///   - estimatedEars: The ears whose thresholds are estimates. Nil means all ears if the
  ///     profile's method is `.estimate`, and no ears otherwise.
  ///   - title: The title of the page.
  ///   - notes: Sentences about the measurement, such as `ImportedProfile.notes`.
  public init(
    profile: HearingProfile, preset: Preset, estimatedEars: Set<Ear>? = nil,
    title: String = "Your hearing and its fitting", notes: [String] = []
  ) {
    let estimatedEars = profile.estimatedEars(unless: estimatedEars)
    self.title = title
    measurement = Self.measurement(of: profile, notes: notes)
    let parts: [ReportSection?] = [
      .summary(of: profile, estimatedEars: estimatedEars, preset: preset),
      .hearing(profile, estimatedEars: estimatedEars),
      .audibility(of: profile, preset: preset),
      .measurement(of: profile),
      .gain(preset, profile: profile),
      .loudness(preset),
    ]
    sections = Self.explained(parts.compactMap { $0 }, preset: preset)
  }

  /// Creates a report on a preset without a profile.
  ///
  /// - Parameters:
  ///   - preset: The listener's preset.
  ///   - title: The title of the page.
  public init(preset: Preset, title: String = "A preset and its effect") {
    self.title = title
    measurement = "Made from a preset alone; the listener's audiogram is not known."
    let parts: [ReportSection?] = [.gain(preset, profile: nil), .loudness(preset)]
    sections = Self.explained(parts.compactMap { $0 }, preset: preset)
  }

  /// Returns `sections`, followed by two more sections. The two sections define the terms that
  /// occur, and describe the basis of the fitting.
  private static func explained(_ sections: [ReportSection], preset: Preset) -> [ReportSection] {
    let basis = ReportSection.basis(of: preset)
    return sections + [.glossary(in: sections + [basis]), basis]
  }

  /// The page as HTML.
  public var html: String {
    ReportPage(
      title: title, introduction: measurement, sections: sections,
      footer: "This page describes settings for sound processing. It is not a diagnosis and does "
        + "not replace an examination by a professional."
    ).html
  }

  /// The HTML page in UTF-8.
  public var data: Data { Data(html.utf8) }

  static func measurement(of profile: HearingProfile, notes: [String]) -> String {
    let text = measurement(of: profile)
    return notes.isEmpty ? text : "\(text) Notes: \(notes.joined(separator: "; "))."
  }

  private static func measurement(of profile: HearingProfile) -> String {
    if let standard = Audiogram.standards.first(where: {
      $0.audiogram == profile.left && $0.audiogram == profile.right
    }) {
      return "Standard audiogram \(standard.name) for both ears (Bisgaard, Vlaming & Dahlquist "
        + "2010), not a listener's own."
    }
    let how: String
    switch profile.method {
    case .estimate?: how = "Estimated from age and sex, not measured"
    case .pureToneAudiometry?: how = "Measured by pure-tone audiometry"
    case .selfTest?: how = "Measured by the listener in a self-test"
    case let method?: how = "Measured by: \(method.rawValue)"
    case nil: how = "The method of measurement is not known"
    }
    guard let date = profile.measuredAt else { return how + "; the date is not known." }
    return how + ", \(date.englishDay) (UTC)."
  }
}
