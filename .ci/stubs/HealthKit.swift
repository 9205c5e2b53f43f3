// The public names of HealthKit that are used, as in the iOS 18.1 SDK.
@_exported import Foundation
open class HKUnit: NSObject {
  public class func hertz() -> Self { fatalError() }
  public class func decibelHearingLevel() -> Self { fatalError() }
}
open class HKQuantity: NSObject {
  public func doubleValue(for unit: HKUnit) -> Double { 0 }
}
open class HKObjectType: NSObject {
  public class func audiogramSampleType() -> HKAudiogramSampleType { fatalError() }
}
open class HKSampleType: HKObjectType {}
public final class HKAudiogramSampleType: HKSampleType {}
open class HKObject: NSObject {}
open class HKSample: HKObject, @unchecked Sendable {
  public var startDate: Date { fatalError() }
}
public final class HKAudiogramSample: HKSample, @unchecked Sendable {
  public var sensitivityPoints: [HKAudiogramSensitivityPoint] { fatalError() }
}
open class HKAudiogramSensitivityPoint: NSObject {
  public var frequency: HKQuantity { fatalError() }
  public var leftEarSensitivity: HKQuantity? { nil }
  public var rightEarSensitivity: HKQuantity? { nil }
  public var tests: [HKAudiogramSensitivityTest] { [] }
}
open class HKAudiogramSensitivityTest: NSObject {
  public var sensitivity: HKQuantity { fatalError() }
  public var type: HKAudiogramConductionType { .air }
  public var masked: Bool { false }
  public var side: HKAudiogramSensitivityTestSide { .left }
  public var clampingRange: HKAudiogramSensitivityPointClampingRange? { nil }
}
public enum HKAudiogramConductionType: Int, Sendable { case air = 0 }
public enum HKAudiogramSensitivityTestSide: Int, Sendable {
  case left = 0
  case right = 1
}
open class HKAudiogramSensitivityPointClampingRange: NSObject {
  public var lowerBound: HKQuantity? { nil }
  public var upperBound: HKQuantity? { nil }
}
open class HKHealthStore: NSObject, @unchecked Sendable {
  public override init() {}
  public class func isHealthDataAvailable() -> Bool { true }
  public func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws {}
}
public struct HKSamplePredicate<Sample: HKSample>: Sendable {
  public static func sample(type: HKSampleType, predicate: NSPredicate? = nil)
    -> HKSamplePredicate<HKSample> where Sample == HKSample { fatalError() }
}
public struct HKSampleQueryDescriptor<Sample: HKSample> {
  public init(
    predicates: [HKSamplePredicate<Sample>], sortDescriptors: [SortDescriptor<Sample>],
    limit: Int? = nil
  ) {}
  public func result(for store: HKHealthStore) async throws -> [Sample] { [] }
}
// The following declarations are part of Foundation on Apple's platforms, but not on Linux.
extension URL {
  public func startAccessingSecurityScopedResource() -> Bool { false }
  public func stopAccessingSecurityScopedResource() {}
}
