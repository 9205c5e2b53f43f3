// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "HearingProcessing", path: "..")],
  targets: [
    .target(name: "AllocationCount"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "AllocationCount",
        .product(name: "HearingProcessing", package: "HearingProcessing"),
        .product(name: "HearingDSP", package: "HearingProcessing"),
        .product(name: "HearingVoice", package: "HearingProcessing"),
        .product(name: "HearingAudio", package: "HearingProcessing"),
        .product(name: "HearingAudiometry", package: "HearingProcessing"),
        .product(name: "HearingFitting", package: "HearingProcessing"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    .executableTarget(
      name: "HearingTestLoop",
      dependencies: [
        .product(name: "HearingProcessing", package: "HearingProcessing"),
        .product(name: "HearingDSP", package: "HearingProcessing"),
        .product(name: "HearingAudio", package: "HearingProcessing"),
        .product(name: "HearingAudiometry", package: "HearingProcessing"),
        .product(name: "HearingFitting", package: "HearingProcessing"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    .executableTarget(
      name: "BenefitRenderer",
      dependencies: [
        .product(name: "HearingFitting", package: "HearingProcessing"),
        .product(name: "HearingDSP", package: "HearingProcessing"),
        .product(name: "HearingAudio", package: "HearingProcessing"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
