#!/bin/sh
# Compiles the module HearingBuffers into a folder. The module HearingDSP imports HearingBuffers.
#
#   memory-module.sh FOLDER OPTION…       The options are passed to swiftc.
set -eu

folder=$1
shift
find Sources/HearingBuffers -name '*.swift' -print0 | xargs -0 swiftc -swift-version 6 -parse-as-library -wmo \
  -module-name HearingBuffers -package-name hearingprocessing "$@" \
  -emit-module -emit-module-path "$folder/HearingBuffers.swiftmodule"
