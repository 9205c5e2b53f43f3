#!/bin/sh
# Runs control and render threads under the thread sanitizer. The sanitizer must report no race in
# the processor. It must report a race that this script adds on purpose. Run the script from the
# package's folder.
set -eu

# By default, the sanitizer's runtime ignores memcpy. Therefore it would not detect that one thread
# copies a struct while another thread writes it.
TSAN_OPTIONS="ignore_interceptors_accesses=0 ${TSAN_OPTIONS:-}"
export TSAN_OPTIONS

# Usage: run FILTER. Runs the tests with names that match.
run() {
  swift test --test-product HearingProcessingPackageTests --sanitize=thread -Xswiftc -DTHREAD_SANITIZER \
    -Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify \
    --scratch-path .build/thread-sanitizer --filter "$1"
}

run '^ThreadTests\.'
if PLANT_A_RACE=1 run test_dataRace > .build/planted-race.log 2>&1; then
  echo "the planted race was not reported" >&2
  exit 1
fi
if ! grep -q 'WARNING: ThreadSanitizer: data race' .build/planted-race.log; then
  echo "the run with the planted race failed for another reason:" >&2
  cat .build/planted-race.log >&2
  exit 1
fi
echo "thread sanitizer: clean, and it reports the planted race"
