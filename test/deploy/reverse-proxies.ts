// nginx and Caddy with the samples of deploy/, on ports of loopback: what stands behind them is
// given by the test.

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../src/core/clock.ts'
import { certificatePath } from '../fakes/certificates.ts'
import { findFreePort } from '../fakes/servers/free-port.ts'
import { findTool, readDeployed, runTool } from './tools.ts'
import type { ToolOutcome } from './tools.ts'

const START_MS_MAX = 20_000

export const REVERSE_PROXIES = ['nginx', 'caddy'] as const
export type ReverseProxyName = (typeof REVERSE_PROXIES)[number]

export interface Behind {
  readonly proxyPort: number
  readonly apiPort: number
}

export interface ReverseProxy {
  /** For callers of providers. */
  readonly proxyPort: number
  readonly apiPort: number
  close(): Promise<void>
}

/** The sample as it is, but for certificates, which are those of the tests. */
export async function checkSample(name: ReverseProxyName): Promise<ToolOutcome> {
  const folder = makeFolder()
  try {
    return name === 'nginx'
      ? await runTool('nginx', ['-t', ...nginxWords(folder, withCertificates())])
      : await runTool(
          'caddy',
          ['validate', ...caddyWords(folder, readDeployed('caddy/Caddyfile'))],
          {
            env: homeAt(folder),
          },
        )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export async function openReverseProxy(
  name: ReverseProxyName,
  behind: Behind,
): Promise<ReverseProxy> {
  const folder = makeFolder()
  const ports = { proxyPort: await findFreePort(), apiPort: await findFreePort() }
  const words =
    name === 'nginx'
      ? nginxWords(folder, toPlainNginx(ports, behind))
      : ['run', ...caddyWords(folder, toPlainCaddy(ports, behind))]
  const child = spawn(findTool(name) ?? name, words, { stdio: 'pipe', env: homeAt(folder) })
  const ended = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
  for (const port of Object.values(ports)) await untilListens(port, child, () => said)
  return {
    ...ports,
    close: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

function makeFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'weir-reverse-proxy-'))
}

/** Caddy keeps certificates and its last configuration at home. */
function homeAt(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
}

function withCertificates(): string {
  return readDeployed('nginx/weir.conf')
    .replaceAll(/(ssl_certificate +)\S+;/g, `$1${certificatePath('server.pem')};`)
    .replaceAll(/(ssl_certificate_key +)\S+;/g, `$1${certificatePath('server.key')};`)
}

function toPlainNginx(ports: Behind, behind: Behind): string {
  const listens = [ports.proxyPort, ports.apiPort].values()
  return readDeployed('nginx/weir.conf')
    .replaceAll(/^ +ssl_certificate.*$/gm, '')
    .replaceAll('listen 443 ssl;', () => `listen 127.0.0.1:${listens.next().value};`)
    .replace('127.0.0.1:7070', `127.0.0.1:${behind.proxyPort}`)
    .replace('127.0.0.1:7071', `127.0.0.1:${behind.apiPort}`)
}

function toPlainCaddy(ports: Behind, behind: Behind): string {
  return readDeployed('caddy/Caddyfile')
    .replace(/^\{$/m, '{\n\tadmin off')
    .replace('ai.example.com {', `http://:${ports.proxyPort} {\n\tbind 127.0.0.1`)
    .replace('\nweir.example.com {', `\nhttp://:${ports.apiPort} {\n\tbind 127.0.0.1`)
    .replace('127.0.0.1:7070', `127.0.0.1:${behind.proxyPort}`)
    .replace('127.0.0.1:7071', `127.0.0.1:${behind.apiPort}`)
}

function nginxWords(folder: string, sample: string): string[] {
  const at = (name: string): string => path.join(folder, name)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(at('weir.conf'), sample)
  writeFileSync(
    at('nginx.conf'),
    `daemon off; master_process off; pid ${at('pid')}; error_log stderr;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${at(name)};`).join('\n  ')}
  include ${at('weir.conf')};
}`,
  )
  return ['-p', folder, '-e', 'stderr', '-c', at('nginx.conf')]
}

function caddyWords(folder: string, sample: string): string[] {
  const file = path.join(folder, 'Caddyfile')
  writeFileSync(file, sample)
  return ['--config', file, '--adapter', 'caddyfile']
}

async function untilListens(port: number, child: ChildProcess, said: () => string): Promise<void> {
  const until = systemClock.monotonic() + START_MS_MAX
  while (!(await canConnect(port))) {
    if (child.exitCode !== null || systemClock.monotonic() > until) {
      child.kill('SIGKILL')
      throw new Error(`it does not listen:\n${said()}`)
    }
    await pause(10)
  }
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
