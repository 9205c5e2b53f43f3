#!/bin/sh
# Compiles the module HearingMemory, which HearingDSP needs, into a folder: memory-module.sh FOLDER OPTION…
set -eu

folder=$1
shift
find Sources/HearingMemory -name '*.swift' -print0 | xargs -0 swiftc -swift-version 6 -parse-as-library -wmo \
  -module-name HearingMemory -package-name hearingprocessing "$@" \
  -emit-module -emit-module-path "$folder/HearingMemory.swiftmodule"
