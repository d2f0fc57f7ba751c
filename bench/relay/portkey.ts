// The Portkey gateway, which parses and writes every call again: what a proxy costs that is built
// on a web framework and fetch. It is installed beside the benchmark at its first run, at a fixed
// version.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { endProcess } from './child.ts'
import { createContender, findFreePort, untilListening } from './contender.ts'
import type { OpenedPeer } from './contender.ts'

const NAME = 'Portkey'
const PACKAGE = '@portkey-ai/gateway@1.15.2'
const INSTALL_MS_MAX = 180_000
const CHECKOUT = path.join(import.meta.dirname, '..', '..')
const FOLDER = 'bench/.peers/portkey'
const ENTRY = path.join(CHECKOUT, FOLDER, 'node_modules/@portkey-ai/gateway/build/start-server.js')
// Its set-up step patches packages for its own development, and is not needed here.
const INSTALL = ['install', '--prefix', FOLDER, '--no-package-lock', '--ignore-scripts', PACKAGE]

export async function openPortkey(upstreamPort: number): Promise<OpenedPeer> {
  if (!existsSync(ENTRY) && !(await install())) {
    const notRun = {
      name: NAME,
      reason: 'cannot be installed',
      command: `npm ${INSTALL.join(' ')}`,
    }
    return { kind: 'not run', notRun }
  }
  const port = await findFreePort()
  const preload = fileURLToPath(new URL('./loopback-only.ts', import.meta.url))
  const words = ['--import', preload, ENTRY, '--headless', `--port=${port}`]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'ignore'] })
  const close = (): Promise<void> => endProcess(child)
  try {
    await untilListening(port, () => child.exitCode !== null)
  } catch (cause) {
    await close()
    throw new Error('Portkey does not start.', { cause })
  }
  const contender = createContender({
    name: NAME,
    port,
    path: '/v1/chat/completions',
    headers: [
      'x-portkey-provider: openai',
      `x-portkey-custom-host: http://127.0.0.1:${upstreamPort}/v1`,
    ],
    pids: [child.pid as number],
    isSlow: true,
    isPassThrough: false,
    close,
  })
  return { kind: 'ready', contender }
}

/** False when it did not work: without a network, the others are compared all the same. */
async function install(): Promise<boolean> {
  console.log(`Installing ${PACKAGE} into ${FOLDER}, this once …`)
  await mkdir(path.join(CHECKOUT, FOLDER), { recursive: true })
  const npm = spawn('npm', INSTALL, {
    cwd: CHECKOUT,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: INSTALL_MS_MAX,
  })
  try {
    await once(npm, 'exit')
  } catch (error) {
    // There is no npm.
    console.log(String(error))
  }
  return existsSync(ENTRY)
}
