#!/usr/bin/env bash
# Runs a command with MONGODB_URL set to a new, empty server, and stops the server afterwards:
#   test/servers/with-mongodb.sh npm run test:mongodb
# The MongoDB compatible server is for tests only. It is installed once, next to the packages of the tests.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
venv="$here/../../node_modules/.cache/mongodb-server-$(cksum <"$here/requirements.txt" | cut -d' ' -f1)"
start_seconds_max=30
stop_seconds_max=10

if [ ! -e "$venv/complete" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
  touch "$venv/complete"
fi

folder="$(mktemp -d)"
port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
server=''

stop() {
  trap - EXIT INT TERM
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    for _ in $(seq "$((stop_seconds_max * 5))"); do
      kill -0 "$server" 2>/dev/null || break
      sleep 0.2
    done
    kill -9 "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

"$venv/bin/python3" "$here/mongodb-server.py" --host 127.0.0.1 --port "$port" --storage-path "$folder/data" --sync-on-commit \
  >"$folder/server.log" 2>&1 &
server=$!

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
for _ in $(seq "$((start_seconds_max * 5))"); do
  if answers; then break; fi
  kill -0 "$server" 2>/dev/null || break
  sleep 0.2
done
if ! answers; then
  echo 'The MongoDB server for tests did not start:' >&2
  cat "$folder/server.log" >&2
  exit 1
fi

MONGODB_URL="mongodb://127.0.0.1:$port/name?replicaSet=secantus" "$@"
