// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]

/// In debug builds, Swift 6.3 gives the description of a private type of an optimized module the
/// wrong linkage, and the LLVM verifier rejects the module. The generated code is correct.
let withoutVerifier: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-disable-llvm-verify"], .when(configuration: .debug))
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "HearingProcessing", path: "..")],
  targets: [
    .target(name: "AllocationCount"),
    .target(name: "BenchmarkSupport"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "AllocationCount",
        "BenchmarkSupport",
        .product(name: "HearingProcessing", package: "HearingProcessing"),
        .product(name: "HearingDSP", package: "HearingProcessing"),
        .product(name: "HearingVoice", package: "HearingProcessing"),
        .product(name: "HearingAudio", package: "HearingProcessing"),
        .product(name: "HearingAudiometry", package: "HearingProcessing"),
        .product(name: "HearingFitting", package: "HearingProcessing"),
      ],
      swiftSettings: settings + withoutVerifier),
    .executableTarget(
      name: "HearingTestLoop",
      dependencies: [
        .product(name: "HearingProcessing", package: "HearingProcessing"),
        .product(name: "HearingDSP", package: "HearingProcessing"),
        .product(name: "HearingAudio", package: "HearingProcessing"),
        .product(name: "HearingAudiometry", package: "HearingProcessing"),
        .product(name: "HearingFitting", package: "HearingProcessing"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "BenefitRenderer",
      dependencies: [
        .product(name: "HearingFitting", package: "HearingProcessing"),
        .product(name: "HearingDSP", package: "HearingProcessing"),
        .product(name: "HearingAudio", package: "HearingProcessing"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "SuiteReader",
      dependencies: [
        .product(name: "HearingFitting", package: "HearingProcessing"),
        .product(name: "HearingAudio", package: "HearingProcessing"),
        .product(name: "HearingAudiometry", package: "HearingProcessing"),
        .product(name: "HearingPieces", package: "HearingProcessing"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "HTTPCacheClient",
      dependencies: [
        .product(name: "HearingProcessing", package: "HearingProcessing"),
        .product(name: "HearingFitting", package: "HearingProcessing"),
        .product(name: "HearingRemote", package: "HearingProcessing"),
      ],
      swiftSettings: settings),
    // RealtimeCheck runs the render code under RealtimeSanitizer. The toolchain for Linux contains
    // this sanitizer.
    .target(
      name: "RealtimeSections",
      cSettings: [.unsafeFlags(["-fsanitize=realtime"], .when(platforms: [.linux]))]),
    .executableTarget(
      name: "RealtimeCheck",
      dependencies: [
        "BenchmarkSupport",
        "RealtimeSections",
        .product(name: "HearingDSP", package: "HearingProcessing"),
        .product(name: "HearingVoice", package: "HearingProcessing"),
        .product(name: "HearingAudio", package: "HearingProcessing"),
      ],
      swiftSettings: settings,
      linkerSettings: [
        .unsafeFlags(["-Xclang-linker", "-fsanitize=realtime"], .when(platforms: [.linux]))
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// If OPENCOMBINE is the path of a checkout of OpenCombine, the benchmarks also measure OpenCombine:
// OPENCOMBINE=PATH swift run -c release Benchmarks control
if let path = Context.environment["OPENCOMBINE"] {
  package.dependencies.append(.package(name: "OpenCombine", path: path))
  for target in package.targets where target.name == "Benchmarks" {
    target.dependencies.append(.product(name: "OpenCombine", package: "OpenCombine"))
  }
}
