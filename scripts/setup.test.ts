// Set-up in a copy of its own, with an npm that only pretends: no network, no real install.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { text } from 'node:stream/consumers'

const root = fs.mkdtempSync(path.join(tmpdir(), 'weir-setup-'))
after(() => fs.rmSync(root, { recursive: true, force: true }))

// Stands for npm: notes its arguments, then fails as asked or lays down a Node that only knows its
// version.
const FAKE_NPM = `#!/bin/sh
echo "npm $*" >> "$FAKE_LOG"
[ -n "$FAKE_PIPE" ] && read -r _ < "$FAKE_PIPE"
[ -n "$FAKE_FAILURE" ] && { echo "$FAKE_FAILURE" >&2; exit 1; }
mkdir -p node_modules/.bin
cp package-lock.json node_modules/.package-lock.json
[ -n "$FAKE_NO_NODE" ] && exit 0
cp "$FAKE_NODE" node_modules/.bin/node
`

// Stands for the pinned Node: prints its version, or builds what has one file.
const FAKE_NODE = `#!/bin/sh
[ "$1" = --version ] && { echo v26.0.1; exit 0; }
echo "node $*" >> "$FAKE_LOG"
[ -n "$FAKE_FAILURE" ] && { echo "$FAKE_FAILURE" >&2; exit 1; }
case "$*" in
  *vite*) mkdir -p console/dist && echo built > console/dist/index.html ;;
  *) mkdir -p dist && echo built > dist/weir.js ;;
esac
`

interface Checkout {
  readonly folder: string
  readonly write: (file: string, content: string) => void
  /** What the pretended programs were asked to do since the last time. */
  readonly takeLog: () => string[]
}

let checkouts = 0

function createCheckout(): Checkout {
  checkouts += 1
  const folder = path.join(root, String(checkouts))
  fs.mkdirSync(path.join(folder, 'scripts'), { recursive: true })
  for (const file of ['setup.js', 'setup-lock.js', 'setup-failure.js', 'setup-tree.js']) {
    fs.copyFileSync(path.join(import.meta.dirname, file), path.join(folder, 'scripts', file))
  }
  const write = (file: string, content: string): void => {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.writeFileSync(path.join(folder, file), content, { mode: 0o755 })
  }
  write('package.json', JSON.stringify({ type: 'module', devDependencies: { node: '26.0.1' } }))
  write('package-lock.json', JSON.stringify(lockOf('26.0.1')))
  write('fake/npm', FAKE_NPM)
  write('fake/pinned-node', FAKE_NODE)
  const log = path.join(folder, 'fake', 'log')
  const takeLog = (): string[] => {
    const lines = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trim().split('\n') : []
    fs.rmSync(log, { force: true })
    return lines
  }
  return { folder, write, takeLog }
}

function lockOf(version: string, other = 'yaml'): object {
  const packages = {
    '': { devDependencies: { node: version } },
    'node_modules/node': { version, dev: true },
    [`node_modules/${other}`]: { version: '2.0.0' },
    'node_modules/other-platform': { version: '1.0.0', optional: true },
  }
  return { packages }
}

interface Asked {
  readonly env?: Record<string, string>
  readonly words?: readonly string[]
}

function startSetup(checkout: Checkout, { env = {}, words = [] }: Asked = {}) {
  const fake = path.join(checkout.folder, 'fake')
  const program = path.join(checkout.folder, 'scripts', 'setup.js')
  return spawn(process.execPath, [program, ...words], {
    // Elsewhere on purpose: set-up knows its checkout by itself.
    cwd: root,
    env: {
      PATH: `${fake}:/usr/bin:/bin`,
      FAKE_LOG: path.join(fake, 'log'),
      FAKE_NODE: path.join(fake, 'pinned-node'),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

function codeOf(child: ReturnType<typeof startSetup>): Promise<number | null> {
  return new Promise((resolve) => child.on('close', resolve))
}

async function setUp(
  checkout: Checkout,
  env: Record<string, string> = {},
  words: readonly string[] = [],
): Promise<{ code: number | null; said: string }> {
  const child = startSetup(checkout, { env, words })
  const ended = codeOf(child)
  const said = await text(child.stderr)
  return { code: await ended, said }
}

const INSTALL = 'npm install --no-save --include=dev --loglevel=error --no-audit --no-fund'

test('installs on the first run, says so, and does nothing on the second', async () => {
  const checkout = createCheckout()
  const first = await setUp(checkout)
  assert.equal(first.code, 0)
  assert.match(
    first.said,
    /^weir: installing dependencies \(first run, about a minute\)… \d+\.\d s\n$/,
  )
  assert.deepEqual(checkout.takeLog(), [INSTALL])
  assert.deepEqual(await setUp(checkout), { code: 0, said: '' })
  assert.deepEqual(checkout.takeLog(), [])
})

test('links the program, so that npx finds it', async () => {
  const checkout = createCheckout()
  await setUp(checkout)
  const link = path.join(checkout.folder, 'node_modules', '.bin', 'weir')
  assert.equal(fs.readlinkSync(link), '../../bin/weir')
})

const changes: readonly (readonly [name: string, change: (checkout: Checkout) => void])[] = [
  [
    'package-lock.json changed',
    ({ write }) => write('package-lock.json', JSON.stringify(lockOf('26.0.1', 'zod'))),
  ],
  [
    'the pinned Node is gone',
    ({ folder }) => fs.rmSync(path.join(folder, 'node_modules/.bin/node')),
  ],
  [
    'the pinned Node is another version',
    ({ write }) => write('node_modules/.bin/node', '#!/bin/sh\necho v18.0.0\n'),
  ],
  ["npm's notes are torn", ({ write }) => write('node_modules/.package-lock.json', '{"pack')],
]

for (const [name, change] of changes) {
  test(`installs again when ${name}`, async () => {
    const checkout = createCheckout()
    await setUp(checkout)
    checkout.takeLog()
    change(checkout)
    assert.equal((await setUp(checkout)).code, 0)
    assert.deepEqual(checkout.takeLog(), [INSTALL])
  })
}

test('starts from scratch when the pinned Node is not right, as npm would not mend it', async () => {
  const checkout = createCheckout()
  await setUp(checkout)
  checkout.write('node_modules/left-over/package.json', '{}')
  checkout.write('node_modules/.bin/node', 'not a program')
  assert.equal((await setUp(checkout)).code, 0)
  assert.ok(!fs.existsSync(path.join(checkout.folder, 'node_modules', 'left-over')))
})

test('does not install again when only a script of package.json changed', async () => {
  const checkout = createCheckout()
  await setUp(checkout)
  checkout.takeLog()
  checkout.write(
    'package.json',
    '{"type":"module","scripts":{"a":"b"},"devDependencies":{"node":"26.0.1"}}',
  )
  assert.deepEqual(await setUp(checkout), { code: 0, said: '' })
  assert.deepEqual(checkout.takeLog(), [])
})

test('keeps a tree that someone installed by hand and that fits the lock file', async () => {
  const checkout = createCheckout()
  checkout.write('node_modules/.bin/node', FAKE_NODE)
  const packages = {
    'node_modules/node': { version: '26.0.1' },
    'node_modules/yaml': { version: '2.0.0' },
  }
  checkout.write('node_modules/.package-lock.json', JSON.stringify({ packages }))
  assert.deepEqual(await setUp(checkout), { code: 0, said: '' })
  assert.deepEqual(checkout.takeLog(), [])
})

test('builds the console when its sources, the contract or the lock file changed', async () => {
  const checkout = createCheckout()
  checkout.write('console/index.html', '<html>')
  const first = await setUp(checkout)
  assert.match(first.said, /weir: building the console… \d+\.\d s\n$/)
  assert.match(checkout.takeLog()[1] ?? '', /^node .+vite\.js build console/)
  assert.deepEqual(await setUp(checkout), { code: 0, said: '' })
  const shared = ['src/api/contract.ts', 'src/resources/key.ts', 'src/core/budget.ts']
  for (const file of ['console/src/page.tsx', 'docs/policy.md', ...shared]) {
    checkout.write(file, '// changed')
    await setUp(checkout)
    assert.equal(checkout.takeLog().length, 1, file)
  }
  checkout.write('console/dist/assets/left-over.js', '')
  assert.deepEqual(await setUp(checkout), { code: 0, said: '' })
})

test('shows why the console could not be built, and tries again the next time', async () => {
  const checkout = createCheckout()
  await setUp(checkout)
  checkout.write('console/index.html', '<html>')
  const failed = await setUp(checkout, { FAKE_FAILURE: 'Unexpected token in page.tsx' })
  assert.equal(failed.code, 1)
  assert.match(failed.said, /failed after .+\n\nUnexpected token in page\.tsx\n$/)
  assert.equal((await setUp(checkout)).code, 0)
})

test('compiles the program for a package, and again only when its sources changed', async () => {
  const checkout = createCheckout()
  const setUpForPackage = () => setUp(checkout, {}, ['--package'])
  checkout.write('scripts/compile.ts', '')
  checkout.write('src/core/money.ts', '')
  assert.match((await setUpForPackage()).said, /weir: compiling the program… \d+\.\d s\n$/)
  const [install, build, ...rest] = checkout.takeLog()
  assert.equal(install, INSTALL)
  assert.match(build ?? '', /^node .+compile\.ts$/)
  assert.deepEqual(rest, [])
  assert.deepEqual(await setUpForPackage(), { code: 0, said: '' })
  for (const file of ['src/core/money.ts', 'tsconfig.json', 'package-lock.json']) {
    checkout.write(file, file.endsWith('lock.json') ? JSON.stringify(lockOf('26.0.1')) + '\n' : '1')
    assert.equal((await setUpForPackage()).code, 0)
    assert.equal(checkout.takeLog().length, 1, file)
  }
  checkout.write('src/core/money.ts', '2')
  assert.deepEqual(await setUp(checkout), { code: 0, said: '' })
})

test('refuses a word that it does not know, and names the one it does', async () => {
  for (const words of [['--production'], ['package'], ['--package', '--package']]) {
    const { code, said } = await setUp(createCheckout(), {}, words)
    assert.equal(code, 1)
    assert.match(said, /takes no words, or --package/)
  }
})

const failures: readonly (readonly [npmSays: string, explanation: RegExp])[] = [
  ['npm error code ENOTFOUND', /registry cannot be reached/],
  ['npm error code E401', /registry refuses access/],
  ['npm error code E404', /does not have a package/],
  ['npm error code EACCES', /may not be written by this user/],
  ['npm error code ENOSPC', /disk is full/],
  ['npm error code EJSONPARSE', /does not fit package\.json/],
  ['npm error code EINTEGRITY', /not the file that package-lock\.json names/],
  ['npm error code SELF_SIGNED_CERT_IN_CHAIN', /certificate is not trusted/],
  ['npm ERR! Invalid Version: ', /npm is too old/],
  ['something never seen before', /npm install failed/],
]

for (const [npmSays, explanation] of failures) {
  test(`explains an install that failed with: ${npmSays}`, async () => {
    const checkout = createCheckout()
    const { code, said } = await setUp(checkout, { FAKE_FAILURE: npmSays })
    assert.equal(code, 1)
    assert.ok(said.includes(`  ${npmSays.trim()}`), said)
    assert.match(said, explanation)
    assert.ok(!fs.existsSync(path.join(checkout.folder, '.setup-lock')))
    assert.equal((await setUp(checkout)).code, 0, 'the next try installs')
  })
}

test('explains an install without npm, and one whose scripts were not run', async () => {
  const withoutNpm = await setUp(createCheckout(), { PATH: path.join(root, 'nowhere') })
  assert.equal(withoutNpm.code, 1)
  assert.match(withoutNpm.said, /npm was not found/)
  const withoutScripts = await setUp(createCheckout(), { FAKE_NO_NODE: '1' })
  assert.equal(withoutScripts.code, 1)
  assert.match(withoutScripts.said, /npm rebuild node --ignore-scripts=false/)
})

test('refuses a tree that is not what the lock file says', async () => {
  const checkout = createCheckout()
  await setUp(checkout)
  checkout.write(
    'package.json',
    '{"type":"module","devDependencies":{"node":"26.0.1","zod":"4.0.0"}}',
  )
  const { code, said } = await setUp(checkout)
  assert.equal(code, 1)
  assert.match(said, /does not fit package\.json.*\n.*run npm install/)
})

test('installs once when two run at the same time', async () => {
  const checkout = createCheckout()
  const pipe = path.join(checkout.folder, 'pipe')
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0)
  const first = startSetup(checkout, { env: { FAKE_PIPE: pipe } })
  await firstWords(first.stderr)
  const second = startSetup(checkout)
  assert.match(await firstWords(second.stderr), /another set-up is running here, waiting/)
  const codes = [first, second].map(codeOf)
  // Opening the pipe lets the first install end.
  await fs.promises.writeFile(pipe, '')
  assert.deepEqual(await Promise.all(codes), [0, 0])
  assert.deepEqual(checkout.takeLog(), [INSTALL])
})

function firstWords(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => stream.once('data', (chunk: Buffer) => resolve(String(chunk))))
}

test('takes over the lock of a set-up that was killed', async () => {
  const checkout = createCheckout()
  const { pid } = spawnSync(process.execPath, ['--version'])
  checkout.write('.setup-lock/owner.json', JSON.stringify({ pid, host: hostname() }))
  assert.equal((await setUp(checkout)).code, 0)
  assert.ok(!fs.existsSync(path.join(checkout.folder, '.setup-lock')))
})

test('takes over a lock that has been silent for long, whichever process has it', async () => {
  const checkout = createCheckout()
  checkout.write('.setup-lock/owner.json', JSON.stringify({ pid: 1, host: 'elsewhere' }))
  fs.utimesSync(path.join(checkout.folder, '.setup-lock'), 0, 0)
  assert.equal((await setUp(checkout)).code, 0)
})

test('releases its lock when it is interrupted', async () => {
  const checkout = createCheckout()
  const pipe = path.join(checkout.folder, 'pipe')
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0)
  const child = startSetup(checkout, { env: { FAKE_PIPE: pipe } })
  await firstWords(child.stderr)
  const ended = codeOf(child)
  child.kill('SIGTERM')
  assert.equal(await ended, 143)
  assert.ok(!fs.existsSync(path.join(checkout.folder, '.setup-lock')))
})
