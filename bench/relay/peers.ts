// Those that Weir is compared with: nginx as a plain reverse proxy with one worker, which is what
// passing bytes on costs when nothing else is done, and the Portkey gateway, which parses and
// writes every call again on a web framework and fetch. One that is missing is reported, with what
// installs it; never left out in silence.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { findFreePort } from '../../test/fakes/servers/free-port.ts'
import type { OpenItems } from '../harness/benchmark.ts'
import { endProcess } from '../../test/fakes/servers/child.ts'
import { createContender } from '../harness/contender.ts'
import type { Contender } from '../harness/contender.ts'
import { readChildren } from '../harness/process-figures.ts'
import { until } from '../harness/until.ts'

const FOLDER = 'bench/.peers/portkey'
/** Debian's folders for servers are not on every user's path. */
const FOLDERS = [
  '/usr/sbin',
  '/usr/bin',
  '/usr/local/bin',
  path.join(import.meta.dirname, '..', '..', FOLDER),
]
const ENTRY = 'node_modules/@portkey-ai/gateway/build/start-server.js'
// Its set-up step patches packages for its own development, and is not needed here.
const INSTALL = `npm install --prefix ${FOLDER} --no-package-lock --ignore-scripts @portkey-ai/gateway@1.15.2`

export type Peers = Readonly<Record<'nginx' | 'portkey', Contender | null>>

export async function openPeers(open: OpenItems, upstreamPort: number): Promise<Peers> {
  return {
    nginx: await openNginx(open, upstreamPort),
    portkey: await openPortkey(open, upstreamPort),
  }
}

async function openNginx(open: OpenItems, upstreamPort: number): Promise<Contender | null> {
  const program = findProgram('nginx', 'apt-get install nginx-light')
  if (program === null) return null
  const [dir, port] = [await open.addFolder(), await findFreePort()]
  const file = path.join(dir, 'nginx.conf')
  await writeFile(file, createNginxConfig(dir, { own: port, upstream: upstreamPort }))
  // -e: its log before the configuration is read would otherwise go where only root may write.
  const command = [program, '-p', dir, '-c', file, '-e', 'stderr']
  return startPeer(open, command, { name: 'nginx', port })
}

/** Installed beside the benchmark, at a fixed version. */
async function openPortkey(open: OpenItems, upstreamPort: number): Promise<Contender | null> {
  const entry = findProgram(ENTRY, INSTALL)
  if (entry === null) return null
  const port = await findFreePort()
  const preload = fileURLToPath(new URL('./loopback-only.ts', import.meta.url))
  const words = ['--import', preload, entry, '--headless', `--port=${port}`]
  return startPeer(open, [process.execPath, ...words], {
    name: 'Portkey',
    port,
    path: '/v1/chat/completions',
    headers: [
      'x-portkey-provider: openai',
      `x-portkey-custom-host: http://127.0.0.1:${upstreamPort}/v1`,
    ],
    isSlow: true,
    isPassThrough: false,
  })
}

function findProgram(name: string, install: string): string | null {
  const files = FOLDERS.map((folder) => path.join(folder, name))
  const found = files.find((file) => existsSync(file)) ?? null
  if (found === null) console.log(`${name} is not run: it is not installed. To do so: ${install}`)
  return found
}

async function startPeer(
  open: OpenItems,
  [program = '', ...words]: readonly string[],
  own: Pick<Contender, 'name' | 'port'> & Partial<Contender>,
): Promise<Contender> {
  // What one that rewrites answers complains of is reported by its answers.
  const said = own.isPassThrough === false ? 'ignore' : 'inherit'
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', said] })
  open.add({ close: () => endProcess(child) })
  await until(() => {
    if (child.exitCode !== null) throw new Error(`${own.name} ended before it listened.`)
    return canConnect(own.port)
  }, `${own.name} listens`)
  const pid = child.pid as number
  return createContender({ ...own, pids: [pid, ...readChildren(pid)] })
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Connections are never closed for their age, on either side: only calls are to be measured. */
function createNginxConfig(dir: string, ports: { own: number; upstream: number }): string {
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${path.join(dir, name)};`,
  )
  return `${user}
worker_processes 1;
daemon off;
pid ${path.join(dir, 'nginx.pid')};
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  ${folders.join('\n  ')}
  client_max_body_size 0;
  keepalive_requests 1000000000;
  upstream simulated {
    server 127.0.0.1:${ports.upstream};
    keepalive 64;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${ports.own};
    location / {
      proxy_pass http://simulated;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_request_buffering off;
    }
  }
}
`
}
