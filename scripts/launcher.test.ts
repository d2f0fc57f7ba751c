// The launcher, bin/weir, in a copy of its own, before a small program that prints how it was
// started.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'

const root = fs.mkdtempSync(path.join(tmpdir(), 'weir-launcher-'))
after(() => fs.rmSync(root, { recursive: true, force: true }))

const PROGRAM = `
const [command = '', ...rest]: string[] = process.argv.slice(2)
if (command === 'exit') process.exit(Number(rest[0]))
if (command === 'wait') {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => { console.log('got ' + signal); process.exit(0) })
  }
  setInterval(() => {}, 1000)
  console.log('ready')
} else if (command === 'kill') process.kill(process.pid, 'SIGKILL')
else console.log(JSON.stringify([command, ...rest]))
process.once('disconnect', () => process.exit(9))
`

// Makes this Node pass for one that cannot run the source, so that the launcher must hand over.
const OLD_NODE = `Object.defineProperty(process, 'versions', { value: { node: '20.1.0' } })\n`
const OLDER_NODE = `${OLD_NODE}process.execve = undefined\n`

const launcher = path.join(root, 'bin', 'weir')
const pinned = path.join(root, 'node_modules', '.bin', 'node')

function write(file: string, content: string): string {
  const target = path.join(root, file)
  fs.mkdirSync(path.dirname(target), { recursive: true })
  fs.writeFileSync(target, content)
  return target
}

write('package.json', '{ "type": "module" }')
write('src/cli/weir.ts', PROGRAM)
for (const file of ['weir', 'package.json']) {
  write(`bin/${file}`, fs.readFileSync(path.join(import.meta.dirname, '..', 'bin', file), 'utf8'))
}
fs.chmodSync(launcher, 0o755)
fs.mkdirSync(path.dirname(pinned), { recursive: true })
fs.symlinkSync(process.execPath, pinned)

const ways: readonly (readonly [name: string, nodeArgs: readonly string[]])[] = [
  ['on a Node that runs the source', []],
  ['on an older Node, by replacing itself', ['--require', write('old.cjs', OLD_NODE)]],
  ['on an older Node, by a child process', ['--require', write('older.cjs', OLDER_NODE)]],
]

function start(nodeArgs: readonly string[], args: readonly string[], cwd = root) {
  return spawn(process.execPath, [...nodeArgs, launcher, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

type Ending = readonly [code: number | null, signal: NodeJS.Signals | null]

async function end(child: ReturnType<typeof start>): Promise<{ ending: Ending; output: string }> {
  const ending = new Promise<Ending>((resolve) =>
    child.on('close', (code, signal) => resolve([code, signal])),
  )
  const output = await text(child.stdout)
  return { ending: await ending, output }
}

for (const [name, nodeArgs] of ways) {
  test(`passes arguments on as they are, ${name}`, async () => {
    const args = ['keys', 'create', '--name', 'a b', '', '--json']
    const { ending, output } = await end(start(nodeArgs, args, tmpdir()))
    assert.deepEqual(JSON.parse(output), args)
    assert.deepEqual(ending, [0, null])
  })

  test(`ends as the program ends, ${name}`, async () => {
    assert.deepEqual((await end(start(nodeArgs, ['exit', '7']))).ending, [7, null])
    assert.deepEqual((await end(start(nodeArgs, ['kill']))).ending, [null, 'SIGKILL'])
  })

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    test(`lets the program answer ${signal}, ${name}`, async () => {
      const child = start(nodeArgs, ['wait'])
      const ended = new Promise<Ending>((resolve) =>
        child.on('close', (code, by) => resolve([code, by])),
      )
      const printed: string[] = []
      child.stdout.on('data', (chunk: Buffer) => {
        printed.push(String(chunk).trim())
        if (printed.length === 1) child.kill(signal)
      })
      assert.deepEqual(await ended, [0, null])
      assert.deepEqual(printed, ['ready', `got ${signal}`])
    })
  }
}

test('ends the program cleanly when the child-process launcher is killed', async () => {
  const child = start(['--require', path.join(root, 'older.cjs')], ['wait'])
  const printed: string[] = []
  child.stdout.on('data', (chunk: Buffer) => {
    printed.push(String(chunk).trim())
    child.kill('SIGKILL')
  })
  // The program's end closes the stream: it noticed the launcher's, or this would wait for ever.
  await new Promise((resolve) => child.stdout.on('close', resolve))
  assert.deepEqual(printed, ['ready'])
})

test('works through a symbolic link', async () => {
  const link = path.join(root, 'linked-weir')
  fs.symlinkSync(launcher, link)
  const child = spawn(process.execPath, [link, 'hello'], { stdio: ['ignore', 'pipe', 'pipe'] })
  assert.equal((await end(child)).output, '["hello"]\n')
})

test('keeps compiled code where only those can write who can change the program', async () => {
  const temporary = path.join(root, 'temporary')
  fs.mkdirSync(temporary)
  const { NODE_COMPILE_CACHE: _, ...inherited } = process.env
  const child = spawn(process.execPath, [launcher, 'exit', '0'], {
    env: { ...inherited, TMPDIR: temporary },
    stdio: 'ignore',
  })
  await new Promise((resolve) => child.once('exit', resolve))
  assert.deepEqual(fs.readdirSync(temporary), [])
  assert.notDeepEqual(fs.readdirSync(path.join(root, 'node_modules', '.cache', 'weir')), [])
})

/** A launcher elsewhere, beside one file of the program. */
function startBeside(folder: string, file: string, nodeArgs: readonly string[]) {
  write(`${folder}/package.json`, '{ "type": "module" }')
  write(`${folder}/${file}`, 'console.log("compiled")')
  fs.mkdirSync(path.join(root, folder, 'bin'), { recursive: true })
  for (const name of ['weir', 'package.json']) {
    fs.copyFileSync(path.join(root, 'bin', name), path.join(root, folder, 'bin', name))
  }
  return spawn(process.execPath, [...nodeArgs, path.join(root, folder, 'bin', 'weir')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const OLD = ['--require', path.join(root, 'old.cjs')]

test('says what to do when its Node is not installed yet', async () => {
  const child = startBeside('bare', 'src/cli/weir.ts', OLD)
  const said = text(child.stderr)
  assert.deepEqual((await end(child)).ending, [1, null])
  assert.match(await said, /run npm start \(or npm run setup\) once/)
})

test('starts the compiled program of a package', async () => {
  assert.equal((await end(startBeside('package', 'dist/cli/weir.js', []))).output, 'compiled\n')
})

test('says which Node a package needs where that is too old', async () => {
  const child = startBeside('package', 'dist/cli/weir.js', OLD)
  const said = text(child.stderr)
  assert.deepEqual((await end(child)).ending, [1, null])
  assert.match(await said, /Node 20\.1\.0 is too old for it\nweir: install Node 24 or newer/)
})
