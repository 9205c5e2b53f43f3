extension HearingProfile {
  /// The profile of a median listener, the same for both ears, marked as an estimate by its
  /// ``method``.
  ///
  ///     HearingProfile(estimatedFrom: try AgeRelatedHearing(age: 60, sex: .male))
  public init(estimatedFrom hearing: AgeRelatedHearing) {
    self.init(left: hearing.audiogram, right: hearing.audiogram, method: .estimate)
  }
}
