// Makes a checkout ready to run: installs when the lock file changed, builds the console when its
// sources changed, and does nothing when nothing changed. With --package, which npm pack gives, the
// program is compiled in the same way. Plain JavaScript without dependencies that runs on Node 18,
// because it runs before the pinned Node is there.

import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { explainInstallFailure } from './setup-failure.js'
import { withSetupLock } from './setup-lock.js'
import { isTreeInstalled, pinnedNodeVersion, readText } from './setup-tree.js'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const at = (...parts) => path.join(root, ...parts)

const PINNED_NODE = at('node_modules', '.bin', 'node')
const PROGRAM_LINK = at('node_modules', '.bin', 'weir')
const OUTPUT_CHARACTERS_MAX = 65_536

const say = (text) => process.stderr.write(text)

function hash(parts) {
  const sum = createHash('sha256')
  // With its length before it, no part can pass for the end of another.
  for (const part of parts) sum.update(`${part.length}:`).update(part)
  return sum.digest('hex')
}

function isPinnedNodeThere() {
  const { stdout } = spawnSync(PINNED_NODE, ['--version'], { encoding: 'utf8' })
  return stdout?.trim() === `v${pinnedNodeVersion(root)}`
}

/** Why an install is due, in words; null when none is. */
function installReason() {
  if (!fs.existsSync(at('node_modules'))) return 'first run, about a minute'
  if (!isPinnedNodeThere()) return 'the Node it runs on is missing or another version'
  return isTreeInstalled(root) ? null : 'they have changed'
}

/** Path and content of every file below a folder, in a fixed order, build results left out. */
function readTree(folder, wanted = /./) {
  if (!fs.existsSync(folder)) return []
  const entries = fs.readdirSync(folder, { withFileTypes: true })
  entries.sort((left, right) => (left.name < right.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (entry.name === 'dist' || entry.name === 'node_modules') return []
    if (entry.isDirectory()) return readTree(file, wanted)
    if (!wanted.test(entry.name)) return []
    return [path.relative(root, file), fs.readFileSync(file)]
  })
}

const PROGRAM_FILE = /(?<!\.test)\.ts$/

/** What is built: due when the stamp beside it is not that of the present sources. */
const CONSOLE = {
  title: 'building the console',
  stamp: at('console', 'dist', '.weir-built'),
  needs: at('console', 'index.html'),
  sources: () => [
    ...readTree(at('console')),
    ...readTree(at('docs'), /\.md$/),
    // The lists and rules that it shares with the program.
    ...['api', 'core', 'resources'].flatMap((room) => readTree(at('src', room), PROGRAM_FILE)),
  ],
  command: [at('node_modules', 'vite', 'bin', 'vite.js'), 'build', 'console', '--logLevel=warn'],
}

const PROGRAM = {
  title: 'compiling the program',
  stamp: at('dist', '.weir-built'),
  needs: at('scripts', 'compile.ts'),
  sources: () => [
    ...readTree(at('src')),
    ...['tsconfig.json', 'scripts/tsconfig.package.json', 'scripts/compile.ts'].map((file) =>
      readText(at(file)),
    ),
  ],
  command: [at('scripts', 'compile.ts')],
}

const wantedStamp = ({ sources }) => hash([...sources(), readText(at('package-lock.json'))])

function isDue(build) {
  return fs.existsSync(build.needs) && readText(build.stamp) !== wantedStamp(build)
}

const isLinkDue = () => process.platform !== 'win32' && !fs.existsSync(PROGRAM_LINK)

let running = null
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.on(signal, () => {
    running?.kill(signal)
    process.exit(code)
  })
}

/** Runs a command quietly and keeps the end of what it wrote. */
function run(command, args) {
  const bin = at('node_modules', '.bin')
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  // npm must not run on a Node that it is about to delete.
  const PATH = folders.filter((folder) => path.resolve(folder) !== bin).join(path.delimiter)
  return new Promise((resolve) => {
    let output = ''
    const keep = (chunk) => {
      output = (output + chunk).slice(-OUTPUT_CHARACTERS_MAX)
    }
    running = spawn(command, args, {
      cwd: root,
      env: { ...process.env, PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    running.stdout.on('data', keep)
    running.stderr.on('data', keep)
    running.on('error', (error) =>
      resolve({ isDone: false, output: `${output}\n${error.message}` }),
    )
    running.on('close', (code) => resolve({ isDone: code === 0, output }))
  })
}

/** One line a step: what is done, and in the end how long it took. */
async function step(title, work) {
  const started = performance.now()
  say(`weir: ${title}…`)
  const failure = await work()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  say(failure === null ? ` ${seconds} s\n` : ` failed after ${seconds} s\n\n${failure}\n`)
  if (failure !== null) process.exit(1)
}

async function install() {
  // npm takes a package that lies there for whole, also one whose binary is gone or not for this
  // machine.
  if (!isPinnedNodeThere()) fs.rmSync(at('node_modules'), { recursive: true, force: true })
  // Not `npm ci`: it refuses a lock file that names the native packages of some platforms only.
  const { isDone, output } = await run('npm', [
    'install',
    '--no-save',
    // A NODE_ENV of "production" must not decide it.
    '--include=dev',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ])
  if (!isDone) return explainInstallFailure(output)
  if (!isTreeInstalled(root)) return explainInstallFailure(`${output}\nWEIR_LOCK_MISMATCH`)
  if (!isPinnedNodeThere()) return explainInstallFailure(`${output}\nWEIR_NO_PINNED_NODE`)
  return null
}

async function runBuild({ stamp, command, ...build }) {
  const wanted = wantedStamp(build)
  const { isDone, output } = await run(PINNED_NODE, command)
  if (!isDone) return output.trim()
  fs.mkdirSync(path.dirname(stamp), { recursive: true })
  fs.writeFileSync(stamp, wanted)
  return null
}

/**
 * npm links no package's own program, and without the link `npx weir` would ask a registry for it.
 */
function linkProgram() {
  fs.rmSync(PROGRAM_LINK, { force: true })
  fs.symlinkSync(path.join('..', '..', 'bin', 'weir'), PROGRAM_LINK)
}

const words = process.argv.slice(2)
const isForPackage = words.length === 1 && words[0] === '--package'
if (words.length > 0 && !isForPackage) {
  say('weir: set-up takes no words, or --package, which compiles the program for npm pack\n')
  process.exit(1)
}

const builds = isForPackage ? [CONSOLE, PROGRAM] : [CONSOLE]

if (installReason() !== null || isLinkDue() || builds.some(isDue)) {
  await withSetupLock(root, async () => {
    const reason = installReason()
    if (reason !== null) await step(`installing dependencies (${reason})`, install)
    for (const build of builds.filter(isDue)) await step(build.title, () => runBuild(build))
    if (isLinkDue()) linkProgram()
  })
}
