#!/bin/sh
# Runs control and render threads under the thread sanitizer. It must report nothing for the
# processor, and must report a race that is added on purpose. Run from the package's folder.
set -eu

# By default, the sanitizer's runtime ignores memcpy. Therefore it would miss torn copies of
# structs.
TSAN_OPTIONS="ignore_interceptors_accesses=0 ${TSAN_OPTIONS:-}"
export TSAN_OPTIONS

# run FILTER: runs the tests whose names match.
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
