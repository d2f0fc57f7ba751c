#!/bin/sh
# Builds the image where no Docker engine runs, and tries it: as user 10001 on a read-only root, with
# one call through it to a simulated provider, and a stop. Needs root, Node 24 or newer with npm, and
# Debian's packages buildah and mmdebstrap. Both base images are made here, from Debian's packages
# and the node binary that npm has. Prints sizes and times; leaves nothing but the image's archive,
# if the first word names a file for it.
set -eu
cd "$(dirname "$0")/.."
archive=${1:-}
work=$(mktemp -d)
weir=
upstream=
cleanup() {
  for pid in $weir $upstream; do kill "$pid" 2>/dev/null || true; done
  buildah --root "$work/images" --runroot "$work/run" --storage-driver vfs umount --all >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap cleanup EXIT

image() { buildah --root "$work/images" --runroot "$work/run" --storage-driver vfs "$@"; }
say() { printf '%s\n' "try-image: $*" >&2; }
megabytes() { du -sm --apparent-size "$1" | cut -f1; }

say 'a Debian as slim as the image of that name'
suite=$(. /etc/os-release && printf %s "$VERSION_CODENAME")
mmdebstrap --quiet --variant=minbase \
  --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr --include=usr-is-merged \
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/info/*' \
  --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/*' \
  "$suite" "$work/debian.tar"
base=$(image from scratch)
image add --quiet "$base" "$work/debian.tar" /
image commit --quiet "$base" weir-base >/dev/null

say 'the same with Node 24 and npm, to build with'
case $(uname -m) in aarch64 | arm64) cpu=arm64 ;; *) cpu=x64 ;; esac
npm install --silent --prefix "$work/node" "node-linux-$cpu@24" npm@11
node=$(image from weir-base)
image copy --quiet "$node" "$work/node/node_modules/node-linux-$cpu/bin/node" /usr/local/bin/node
image copy --quiet "$node" "$work/node/node_modules/npm" /usr/local/lib/node_modules/npm
image run --isolation chroot "$node" -- sh -c \
  'cd /usr/local/bin && for name in npm npx; do ln -s ../lib/node_modules/npm/bin/$name-cli.js $name; done'
# What npm needs here to reach its registry; the last stage has none of it.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  image copy --quiet "$node" "$NODE_EXTRA_CA_CERTS" /etc/ssl/registry.crt
  image config --env NODE_EXTRA_CA_CERTS=/etc/ssl/registry.crt "$node"
fi
image config --env npm_config_cache=/npm-cache "$node"
image commit --quiet "$node" weir-node >/dev/null

say 'the image'
image build --quiet --isolation chroot --format docker --tag weir \
  --volume "$(npm config get cache):/npm-cache" \
  --build-arg NODE_IMAGE=localhost/weir-node --build-arg BASE_IMAGE=localhost/weir-base \
  --build-arg VERSION="$(node -p 'require("./package.json").version')" . >/dev/null
root=$(image mount "$(image from localhost/weir)")
say "$(megabytes "$root") MB: node $(megabytes "$root/usr/local/bin/node"), Weir $(megabytes "$root/opt/weir"), the rest is Debian"
[ -z "$archive" ] || image push --quiet localhost/weir "docker-archive:$archive:weir"

cat >"$work/upstream.mjs" <<'JS'
import { createServer } from 'node:http'
const answer = {
  id: 'chatcmpl-1', object: 'chat.completion', model: 'gpt-4o-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
}
createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)))
}).listen(17080, '127.0.0.1')
JS
node "$work/upstream.mjs" &
upstream=$!

# In a mount namespace of its own: the root read-only, /data the one folder to write to.
install -d -o 10001 -g 10001 -m 0700 "$work/data"
cat >"$work/enter.sh" <<'SH'
set -eu
root=$1 data=$2
shift 2
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec chroot --userspec=10001:10001 "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin \
  WEIR_DATA_DIR=/data WEIR_PROXY_HOST=0.0.0.0 WEIR_API_HOST=0.0.0.0 WEIR_PROXY_PORT=17070 \
  WEIR_API_PORT=17071 WEIR_PROVIDER_OPENAI_URL=http://127.0.0.1:17080 "$@"
SH
enter() { unshare --mount sh "$work/enter.sh" "$root" "$work/data" "$@"; }

say 'a start as user 10001 on a read-only root'
if enter touch /etc/weir/written 2>/dev/null; then
  say 'the root can be written'
  exit 1
fi
key=$(enter weir keys create --name first --json | node -p 'JSON.parse(require("fs").readFileSync(0)).key')
# Not by enter: the process in the background has to be the program, for its signal and its user.
unshare --mount sh "$work/enter.sh" "$root" "$work/data" weir start &
weir=$!
tries=0
until enter node /opt/weir/health.js; do
  tries=$((tries + 1))
  [ $tries -lt 60 ] || exit 1
  sleep 0.5
done
say "process $weir runs as user $(stat -c %u "/proc/$weir")"
KEY=$key node --input-type=module -e '
  const response = await fetch("http://127.0.0.1:17070/v1/openai/v1/chat/completions", {
    method: "POST",
    headers: { "X-SVC-API-Key": process.env.KEY, "Content-Type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o-mini", messages: [{ role: "user", content: "Hello" }] }),
  })
  if (response.status !== 200) throw new Error(await response.text())
  console.error("try-image: answered with request id", response.headers.get("x-svc-request-id"))
'
tries=0
until enter weir requests | tee "$work/requests" | grep -q gpt-4o-mini; do
  tries=$((tries + 1))
  [ $tries -lt 20 ] || exit 1
  sleep 0.5
done
cat "$work/requests"

began=$(date +%s%N)
kill -TERM "$weir"
wait "$weir" && say "stopped with code 0 in $((($(date +%s%N) - began) / 1000000)) ms"
weir=
