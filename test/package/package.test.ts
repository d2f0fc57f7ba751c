import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

import { openScene } from '../e2e/scene.ts'
import type { Scene } from '../e2e/scene.ts'
import { isLongForm, LONG_ONLY } from '../long-form.ts'
import { openFakeUpstream } from '../fakes/upstreams/upstream.ts'
import { TOP_FOLDER } from '../tidy/checkout.ts'
import { makeFirstCall } from './first-call.ts'
import { installPackage, listFiles, readCommands } from './pack.ts'
import type { InstalledPackage } from './pack.ts'

const run = promisify(execFile)
const MEGABYTE = 1_000_000
/** It has 75 today; an image with it has to stay below 250. */
const INSTALLED_MEGABYTES_MAX = 90
/** A Node 24 cannot be part of a checkout that has its own Node. */
const NODE_24 = process.env['WEIR_TEST_NODE_24']
const NO_NODE_24 =
  'needs a Node 24: npm install --prefix SOME_FOLDER node@24, then put the path of its bin/node into WEIR_TEST_NODE_24'

/** The short form lists what would be packed; it takes a minute to install it. */
const SLOWLY = { skip: LONG_ONLY }
let installed: InstalledPackage

before(async () => {
  if (!isLongForm) return
  installed = await installPackage(NODE_24 ?? process.execPath)
})

after(() => installed?.close())

const isUnwanted = (file: string): boolean =>
  /\.(?:map|tsx?|test\.js|weir-built)$/.test(file) && !/^client\/.+\.d\.ts$/.test(file)

test('would be packed with the launcher, the client, the console and the pages, and no source', async () => {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { stdout } = await run('npm', words, { cwd: TOP_FOLDER, maxBuffer: 100 * MEGABYTE })
  const [packed] = JSON.parse(stdout) as [{ files: readonly { path: string }[] }]
  const files = packed.files.map((file) => file.path)
  const own = files.filter((file) => !file.startsWith('node_modules/'))
  const wanted = ['bin/weir', 'client/weir-client.js', 'console/dist/index.html', 'docs/api.md']
  assert.deepEqual(
    wanted.filter((file) => !own.includes(file)),
    [],
  )
  assert.deepEqual(own.filter(isUnwanted), [])
  assert.ok(files.some((file) => file.startsWith('node_modules/hono/')))
  assert.ok(!files.some((file) => file.startsWith('node_modules/react/')))
})

test('has what it needs to run, and nothing else', SLOWLY, (t) => {
  const { root, tarballBytes, installedBytes } = installed
  const files = listFiles(root).map((file) => path.relative(root, file))
  const own = files.filter((file) => !file.startsWith('node_modules'))
  const parts = new Set(own.map((file) => file.split('/', 1)[0]))
  const texts = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']
  const folders = ['bin', 'client', 'console', 'dist', 'docs']
  assert.deepEqual(parts, new Set([...texts, ...folders]))
  assert.deepEqual(own.filter(isUnwanted), [])
  assert.ok(!existsSync(path.join(root, 'node_modules', 'node')), 'brings a Node')
  assert.ok(!existsSync(path.join(root, 'node_modules', 'react')), 'brings tools for development')
  t.diagnostic(`tarball ${(tarballBytes / MEGABYTE).toFixed(1)} MB`)
  t.diagnostic(`installed ${(installedBytes / MEGABYTE).toFixed(1)} MB, ${files.length} files`)
  assert.ok(installedBytes < INSTALLED_MEGABYTES_MAX * MEGABYTE)
})

test(
  'names no TypeScript file that it does not have, and no folder of the machine that built it',
  SLOWLY,
  () => {
    for (const file of listFiles(path.join(installed.root, 'dist'))) {
      const text = readFileSync(file, 'utf8')
      assert.ok(!text.includes(TOP_FOLDER), file)
      assert.doesNotMatch(text, /\bnew URL\([^)]*\.ts'|(?:from|import\()\s*'\.[^'\n]*\.ts'/, file)
    }
  },
)

/** Of somebody's own project. */
const QUESTION = `
import { createWeirClient } from 'weir/client'

const [url = '', token = ''] = process.argv.slice(2)
const { rows } = await createWeirClient({ url, token }).usage({ metric: 'requests', window: 'today' })
const value: number | undefined = rows[0]?.value
console.log(value)

declare const process: { argv: string[] }
`

async function askByClient({ program, token }: Scene, node: string): Promise<string> {
  const { folder } = installed
  writeFileSync(path.join(folder, 'question.mts'), QUESTION)
  const { stdout } = await run(node, ['question.mts', program.addresses.api, token], {
    cwd: folder,
  })
  return stdout
}

const nodes: readonly (readonly [name: string, node: string | undefined])[] = [
  ['the Node of this run', process.execPath],
  ['Node 24', NODE_24],
]

for (const [name, node] of nodes) {
  const skip = LONG_ONLY || (node === undefined && NO_NODE_24)
  test(`forwards and records calls on ${name}`, { skip }, async (t) => {
    const weir = path.join(installed.folder, 'node_modules', '.bin', 'weir')
    const scene = await openScene(t, {}, { weir, node: node as string })
    const { program } = scene
    const key = await program.json<{ id: string; key: string }>('keys', 'create', '--name', 'new')
    const request = {
      model: 'gpt-4o-mini',
      messages: [{ role: 'user' as const, content: 'Where are rivers measured?' }],
    }
    const whole = await scene
      .sdk('openai', key)
      .chat.completions.create({
        ...request,
        metadata: { prompt_tokens: '1000000', completion_tokens: '0' },
      })
      .withResponse()
    // Nothing reports usage in it: its tokens are counted by a thread with a file of its own.
    const streamed = await scene
      .sdk('openai', key)
      .chat.completions.create({ ...request, stream: true })
      .withResponse()
    for await (const chunk of streamed.data) assert.ok(chunk.id)
    const [reported, estimated] = await Promise.all(
      [whole, streamed].map(({ response }) =>
        scene.record(response.headers.get('x-svc-request-id') as string),
      ),
    )
    assert.deepEqual([reported?.event.keyId, reported?.cost.amount], [key.id, 150_000_000_000n])
    assert.equal(estimated?.event.usage, 'estimated')
    assert.equal(await askByClient(scene, node as string), '2\n')
    const console = await fetch(program.addresses.console)
    assert.match(await console.text(), /<div id="root">/)
    assert.equal(await program.stop(), 0)
  })
}

test(
  "the README's four commands lead to a recorded call, with Node alone on the PATH",
  SLOWLY,
  async (t) => {
    assert.equal(readCommands().length, 4)
    const upstream = await openFakeUpstream()
    t.after(() => upstream.close())
    const said = await makeFirstCall(installed, `${upstream.url}/openai`)
    assert.match(said, /gpt-4o-mini/)
    assert.equal(upstream.callCount, 1)
  },
)

test('gives projects weir/client with its types', SLOWLY, async () => {
  const { folder } = installed
  const tsc = path.join(TOP_FOLDER, 'node_modules', '.bin', 'tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2025,dom']
  const check = (file: string, text: string) => {
    writeFileSync(path.join(folder, file), text)
    return run(tsc, [...options, file], { cwd: folder })
  }
  await check('right.mts', QUESTION)
  // Refused, so the types are read and are not any.
  await assert.rejects(check('wrong.mts', QUESTION.replace('today', 'some day')), ({ stdout }) =>
    String(stdout).includes('some day'),
  )
})
