// swift-tools-version: 6.2
import PackageDescription

/// Whether debug builds of the package's modules compile whole modules, and omit debug information.
///
/// A first build then needs less processor time. The script .ci/run builds in this way:
/// WHOLE_MODULES=1 swift build …
let compilesWholeModules = Context.environment["WHOLE_MODULES"] != nil

func debugFlags(_ flags: [String]) -> [SwiftSetting] {
  compilesWholeModules ? [.unsafeFlags(flags, .when(configuration: .debug))] : []
}

let features: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let settings =
  features
  + debugFlags(
    ["-gnone", "-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"])

/// Settings for tests of optimized modules. Debug builds compile these tests file by file, because
/// some errors of the compiler occur only then: Swift 6.3 fails if an unoptimized file needs a
/// private type of an optimized module. With UNOPTIMIZED_TESTS, as in the sanitizer builds of
/// .ci/run, these tests are compiled like other modules to save time.
let testSettings =
  Context.environment["UNOPTIMIZED_TESTS"] == nil ? features + debugFlags(["-gnone"]) : settings

/// Settings for modules that mark all unsafe code with `unsafe` or contain no unsafe code.
let strictSettings = settings + [.strictMemorySafety()]

/// Compiler flags that optimize the code for sound processing in debug builds.
///
/// Without optimization, this code would run about 300 times slower, too slow for real time. Array
/// bounds are still checked.
///
/// On Linux, each module is optimized as a whole. The code is then up to three times as fast as
/// with `-O` alone. In debug builds of SwiftPM, this needs `-num-threads 2` and
/// `-disable-batch-mode`. Optimizing whole modules was not tried with Xcode.
#if os(Linux)
  let flags = ["-O", "-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"]
#else
  let flags = ["-O"]
#endif
/// The settings with the flags above; empty if the environment variable UNOPTIMIZED_SIGNALS is set.
///
/// Some tests with a sanitizer process little sound. For these tests, building without optimization
/// saves time: UNOPTIMIZED_SIGNALS=1 swift test …
let optimized: [SwiftSetting] =
  Context.environment["UNOPTIMIZED_SIGNALS"] == nil
  ? [.unsafeFlags(flags, .when(configuration: .debug))] : []

/// Settings for modules that process sound.
let signalSettings = strictSettings + optimized

/// Settings for the modules HearingFitting and HearingAudiometry.
///
/// Tests of HearingFitting compute tens of thousands of gains. Tests of HearingAudiometry simulate
/// thousands of hearing tests. With optimization, these tests run up to fifteen times as fast. The
/// sanitizer builds of .ci/run do not optimize these modules: UNOPTIMIZED_TESTS=1 swift test …
let computingSettings =
  Context.environment["UNOPTIMIZED_TESTS"] == nil ? signalSettings : strictSettings

let package = Package(
  name: "HearingProcessing",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "HearingFitting", targets: ["HearingFitting"]),
    .library(name: "HearingProcessing", targets: ["HearingProcessing"]),
    .library(name: "HearingDSP", targets: ["HearingDSP"]),
    .library(name: "HearingVoice", targets: ["HearingVoice"]),
    .library(name: "HearingAudio", targets: ["HearingAudio"]),
    .library(name: "HearingPieces", targets: ["HearingPieces"]),
    .library(name: "HearingRemote", targets: ["HearingRemote"]),
    .library(name: "HearingReport", targets: ["HearingReport"]),
    .library(name: "HearingAudiometry", targets: ["HearingAudiometry"]),
  ],
  targets: [
    .target(
      name: "HearingFitting", resources: [.copy("PrivacyInfo.xcprivacy")],
      swiftSettings: computingSettings),
    .target(
      name: "HearingProcessing", dependencies: ["HearingFitting"], swiftSettings: strictSettings),
    .target(name: "HearingBuffers", swiftSettings: signalSettings),
    .target(name: "HearingDSP", dependencies: ["HearingBuffers"], swiftSettings: signalSettings),
    .target(
      name: "HearingVoice", dependencies: ["HearingDSP", "HearingBuffers"],
      swiftSettings: signalSettings),
    .target(
      name: "HearingAudio",
      dependencies: [
        "HearingDSP", "HearingFitting", "HearingBuffers", "HearingProcessing", "HearingVoice",
      ],
      resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: signalSettings),
    .target(
      name: "HearingPieces",
      dependencies: ["HearingAudio", "HearingDSP", "HearingFitting", "HearingProcessing"],
      resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: strictSettings),
    .target(
      name: "HearingRemote", dependencies: ["HearingFitting", "HearingProcessing"],
      swiftSettings: strictSettings),
    .target(
      name: "HearingReport", dependencies: ["HearingFitting"], swiftSettings: strictSettings),
    .target(
      name: "HearingAudiometry", dependencies: ["HearingFitting"], swiftSettings: computingSettings),

    .target(
      name: "ExampleSupport",
      dependencies: ["HearingAudio", "HearingDSP", "HearingFitting", "HearingProcessing"],
      path: "Examples/Support", swiftSettings: strictSettings),
    .executableTarget(
      name: "hearing-fit",
      dependencies: [
        "ExampleSupport", "HearingAudio", "HearingDSP", "HearingFitting", "HearingReport",
      ],
      path: "Examples/hearing-fit", exclude: ["mine.csv"], swiftSettings: strictSettings),

    .executableTarget(
      name: "hearing-live",
      dependencies: [
        "ExampleSupport", "HearingAudio", "HearingDSP", "HearingFitting", "HearingProcessing",
      ],
      path: "Examples/hearing-live", swiftSettings: strictSettings),
    .executableTarget(
      name: "hearing-render",
      dependencies: [
        "ExampleSupport", "HearingAudio", "HearingDSP", "HearingFitting", "HearingProcessing",
        "HearingRemote", "HearingReport",
      ],
      path: "Examples/hearing-render",
      exclude: ["Resources/README.md", "Resources/make-speech.sh"],
      resources: [.copy("Resources/speech.wav")], swiftSettings: strictSettings),
    .executableTarget(
      name: "hearing-test",
      dependencies: [
        "ExampleSupport", "HearingAudio", "HearingAudiometry", "HearingFitting", "HearingReport",
      ],
      path: "Examples/hearing-test", swiftSettings: strictSettings),
    .executableTarget(
      name: "pass-thru",
      dependencies: ["ExampleSupport", "HearingAudio", "HearingFitting", "HearingProcessing"],
      path: "Examples/pass-thru", swiftSettings: strictSettings),
    .executableTarget(
      name: "piece-box",
      dependencies: [
        "ExampleSupport", "HearingAudio", "HearingFitting", "HearingPieces",
        "HearingProcessing",
      ],
      path: "Examples/piece-box", swiftSettings: strictSettings),
    .executableTarget(
      name: "session-tour", dependencies: ["ExampleSupport", "HearingProcessing"],
      path: "Examples/session-tour",
      swiftSettings: strictSettings),
    .executableTarget(
      name: "voice-chat",
      dependencies: [
        "ExampleSupport", "HearingAudio", "HearingDSP", "HearingProcessing", "HearingReport",
        "HearingVoice",
      ],
      path: "Examples/voice-chat", exclude: ["Sounds"], swiftSettings: strictSettings),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    .testTarget(
      name: "HearingFittingTests", dependencies: ["HearingFitting", "TestSupport"],
      resources: [.copy("Resources")], swiftSettings: testSettings),
    .testTarget(
      name: "HearingProcessingTests", dependencies: ["HearingProcessing", "TestSupport"],
      swiftSettings: settings),
    .target(name: "RealTimeProbe", path: "Tests/RealTimeProbe"),
    .target(
      name: "SignalTestSupport",
      dependencies: [
        "HearingDSP", "HearingBuffers", "HearingVoice", "RealTimeProbe", "TestSupport",
      ],
      path: "Tests/SignalTestSupport", swiftSettings: settings + optimized),
    .testTarget(
      name: "HearingDSPTests",
      dependencies: [
        "HearingDSP", "HearingBuffers", "RealTimeProbe", "SignalTestSupport", "TestSupport",
      ],
      exclude: ["Scripts"],
      swiftSettings: testSettings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]),
    .testTarget(
      name: "HearingVoiceTests",
      dependencies: [
        "HearingDSP", "HearingBuffers", "HearingVoice", "RealTimeProbe", "SignalTestSupport",
        "TestSupport",
      ],
      exclude: ["Resources/README.md"],
      resources: [.copy("Resources/recorded-speech.wav")], swiftSettings: testSettings),
    .testTarget(
      name: "ThreadTests",
      dependencies: [
        "HearingDSP", "HearingBuffers", "HearingVoice", "RealTimeProbe", "SignalTestSupport",
        "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "HearingAudioTests",
      dependencies: [
        "HearingAudio", "HearingBuffers", "HearingVoice", "RealTimeProbe", "SignalTestSupport",
        "TestSupport",
      ],
      exclude: ["Resources/make-fixtures.py"],
      resources: [.copy("Resources/Fixtures")],
      swiftSettings: testSettings),
    .testTarget(
      name: "HearingPiecesTests", dependencies: ["HearingPieces", "TestSupport"],
      resources: [.copy("Resources")], swiftSettings: settings),
    .testTarget(
      name: "HearingRemoteTests",
      dependencies: ["HearingFitting", "HearingProcessing", "HearingRemote", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "HearingReportTests",
      dependencies: ["HearingFitting", "HearingReport", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "HearingAudiometryTests",
      dependencies: [
        "HearingAudio", "HearingAudiometry", "HearingDSP", "HearingFitting", "HearingProcessing",
        "SignalTestSupport", "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "HearingTestTests",
      dependencies: [
        "HearingAudio", "HearingAudiometry", "HearingFitting", "TestSupport", "hearing-test",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "HearingFitTests",
      dependencies: [
        "ExampleSupport", "HearingAudio", "HearingDSP", "HearingFitting", "HearingProcessing",
        "TestSupport", "hearing-fit",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "ExampleSupport", "HearingAudio", "HearingFitting", "HearingPieces", "HearingProcessing",
        "SignalTestSupport", "TestSupport", "hearing-fit", "hearing-live", "hearing-render",
        "pass-thru", "piece-box", "session-tour", "voice-chat",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// Builds with a sanitizer and release builds need only some test targets. They name these targets:
// TEST_TARGETS=NAME,NAME swift test …
if let names = Context.environment["TEST_TARGETS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
