import ExampleSupport
import HearingFitting

/// The hearing profile for which gains are computed. It contains measured ears and, if the user
/// asked for an estimate, estimated ears.
struct FittedListener {
  let profile: HearingProfile
  /// The ears that were estimated from age and sex.
  let estimatedEars: Set<Ear>
  /// The assumptions that were made about unclear data in the file, one sentence each.
  let notes: [String]

  /// The profile without estimated ears. If both ears are estimated, this is the whole profile.
  var measured: HearingProfile {
    guard estimatedEars.count < Ear.allCases.count else { return profile }
    var measured = profile
    for ear in estimatedEars { measured[ear] = nil }
    return measured
  }

  /// Creates the profile that the options describe. An estimate never replaces a measured ear.
  init(_ options: FitOptions) throws(CommandFailure) {
    let estimate = options.earAge.map { HearingProfile(estimatedFrom: $0) }
    guard let audiogram = options.audiogram else {
      profile = estimate ?? HearingProfile()
      estimatedEars = estimate == nil ? [] : Set(Ear.allCases)
      notes = []
      return
    }
    var notes: [String] = []
    var profile = try HearingProfile(argument: audiogram, measuredOn: options.day) {
      notes = $0
    }
    var estimatedEars = Set(
      Ear.allCases.filter { profile.method == .estimate && profile[$0] != nil })
    if let estimate {
      for ear in Ear.allCases where profile[ear] == nil {
        profile[ear] = estimate[ear]
        estimatedEars.insert(ear)
      }
    }
    self.profile = profile
    self.estimatedEars = estimatedEars
    self.notes = notes
  }
}
