#!/bin/sh
# Makes the files that compose.yaml takes its secrets from; those that exist stay as they are.
set -eu
cd "$(dirname "$0")"

# The folder keeps other users of this machine out. The files must be readable in the containers,
# whose users are others than the one who runs this.
mkdir -p -m 0700 secrets
umask 022

make_password() {
  [ -e "secrets/$1" ] || LC_ALL=C tr -dc 'A-Za-z0-9' </dev/urandom | head -c 40 >"secrets/$1"
}

make_password postgres-password
make_password clickhouse-password
[ -e secrets/postgres-url ] ||
  printf 'postgres://weir:%s@postgres:5432/weir' "$(cat secrets/postgres-password)" >secrets/postgres-url
[ -e secrets/clickhouse-url ] ||
  printf 'clickhouse://weir:%s@clickhouse:8123/weir' "$(cat secrets/clickhouse-password)" >secrets/clickhouse-url
