import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** In a checkout npx runs the program of the folder. */
const NPX = `npx() { shift; '${ROOT}bin/weir' "$@"; }`

test("the README's steps, when pasted, set the key and the token that its calls use", async (context) => {
  const lines = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n')
  const steps = lines.filter((line) => /^export WEIR_\w+=\$\(npx weir /.test(line))
  const folder = mkdtempSync(join(tmpdir(), 'weir-readme-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const script = [NPX, ...steps, 'echo "$WEIR_KEY"', 'echo "$WEIR_TOKEN"'].join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd: folder })
  assert.match(stdout, /^svc_k_\w+\.[\w-]{32,}\nsvc_agt_\w+\.[\w-]{32,}\n$/)
})
