# Parts of a run of CI: commands with names, whose durations are told. Read by `.ci/run`.
#
# alone NAME COMMAND…   what it prints is seen as it comes.
# beside NAME COMMAND…  begins it; what it prints is kept in build/ci/NAME.log, and printed whole once it ended.
# together              waits for all that was begun. Fails where one of them failed, once all have ended.

PARTS=build/ci
mkdir -p "$PARTS"
begun=()
trap 'for part in "${begun[@]}"; do kill "$part" 2>/dev/null || true; done' EXIT

alone() {
  local name=$1 began=$SECONDS code=0
  shift
  echo "=== $name"
  "$@" || code=$?
  told "$name" "$code" "$began"
  return "$code"
}

beside() {
  local name=$1
  shift
  echo "=== $name begins beside others"
  (
    trap - EXIT
    set -m # it has a process group of its own, which can be ended whole
    began=$SECONDS code=0
    "$@" </dev/null >"$PARTS/$name.log" 2>&1 &
    command=$!
    trap 'kill -- "-$command"; exit 143' TERM
    wait "$command" || code=$?
    {
      flock 9 # one at a time
      echo "=== $name"
      cat "$PARTS/$name.log"
      told "$name" "$code" "$began"
    } 9>"$PARTS/.printing"
    exit "$code"
  ) &
  begun+=("$!")
}

together() {
  local part code=0
  for part in "${begun[@]}"; do
    wait "$part" || code=1
  done
  begun=()
  return "$code"
}

told() {
  local took=$((SECONDS - $3))
  if [ "$2" -eq 0 ]; then
    printf '=== %s took %d:%02d\n' "$1" $((took / 60)) $((took % 60))
  else
    printf '=== %s FAILED after %d:%02d (exit status %d)\n' "$1" $((took / 60)) $((took % 60)) "$2"
  fi
}
