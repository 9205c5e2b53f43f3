import ExampleSupport
import HearingFitting

/// Whose hearing is to be fitted: what was measured, and what is estimated where that was asked
/// for.
struct Listener {
  let profile: HearingProfile
  /// Ears that were not measured, but estimated from age and sex.
  let estimatedEars: Set<Ear>

  /// The listener that the options describe; an ear that was measured is never estimated.
  init(_ options: FitOptions) throws(CommandFailure) {
    let estimate = options.earAge.map { HearingProfile(estimatedFrom: $0) }
    guard let audiogram = options.audiogram else {
      profile = estimate ?? HearingProfile()
      estimatedEars = estimate == nil ? [] : Set(Ear.allCases)
      return
    }
    var profile = try HearingProfile(argument: audiogram, measuredOn: options.day)
    var estimatedEars: Set<Ear> = []
    if let estimate {
      for ear in Ear.allCases where profile[ear] == nil {
        profile[ear] = estimate[ear]
        estimatedEars.insert(ear)
      }
    } else if profile.method == .estimate {
      estimatedEars = Set(Ear.allCases.filter { profile[$0] != nil })
    }
    self.profile = profile
    self.estimatedEars = estimatedEars
  }
}
