// nginx as a plain reverse proxy with one worker: what passing bytes on costs when nothing else is
// done.

import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { endProcess } from './child.ts'
import { createContender, findFreePort, untilListening } from './contender.ts'
import type { OpenedPeer } from './contender.ts'
import { findProgram } from './find-program.ts'
import { readChildren } from './process-figures.ts'

const NAME = 'nginx'

export async function openNginx(upstreamPort: number): Promise<OpenedPeer> {
  const program = findProgram('nginx')
  if (program === null) {
    const notRun = { name: NAME, reason: 'not installed', command: 'apt-get install nginx-light' }
    return { kind: 'not run', notRun }
  }
  const dir = await mkdtemp(join(tmpdir(), 'weir-bench-nginx-'))
  const port = await findFreePort()
  const file = join(dir, 'nginx.conf')
  await writeFile(file, createConfig({ dir, port, upstreamPort }))
  // -e: its log before the configuration is read would otherwise go where only root may write.
  const words = ['-p', dir, '-c', file, '-e', 'stderr']
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const close = async (): Promise<void> => {
    await endProcess(child)
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await untilListening(port, () => child.exitCode !== null)
  } catch (cause) {
    await close()
    throw new Error('nginx does not start.', { cause })
  }
  const pid = child.pid as number
  const pids = [pid, ...readChildren(pid)]
  return { kind: 'ready', contender: createContender({ name: NAME, port, pids, close }) }
}

interface Place {
  readonly dir: string
  readonly port: number
  readonly upstreamPort: number
}

// Connections are never closed for their age, on either side: only calls are to be measured.
function createConfig({ dir, port, upstreamPort }: Place): string {
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(dir, name)};`,
  )
  return `${user}
worker_processes 1;
daemon off;
pid ${join(dir, 'nginx.pid')};
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  ${folders.join('\n  ')}
  client_max_body_size 0;
  keepalive_requests 1000000000;
  upstream simulated {
    server 127.0.0.1:${upstreamPort};
    keepalive 64;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port};
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
