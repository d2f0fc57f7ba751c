// The client's files are what the contract says today, and its types allow exactly what the API
// answers.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { DIMENSIONS, METRICS, WINDOWS } from '../src/api/contract.ts'
import { parseUsageQuery } from '../src/api/usage/parse-usage-query.ts'
import { toType } from './client-types.ts'
import { renderClient } from './generate-client.ts'

const ROOT = path.join(import.meta.dirname, '..')
const NOW = Date.UTC(2026, 2, 15)
/** A line or more for each question that does not compile. */
const OUTPUT_BYTES_MAX = 2 ** 26

test('the files of client/ are not stale (mend them: node scripts/generate-client.ts)', async () => {
  for (const [file, text] of await renderClient()) {
    assert.equal(readFileSync(file, 'utf8'), text, path.relative(ROOT, file))
  }
})

test('a schema that is not understood stops the generator', () => {
  assert.throws(() => toType({}), /without a type/)
  assert.throws(() => toType({ type: 'object' }), /nothing is said/)
  assert.throws(() => toType({ type: 'tuple' }), /unknown kind/)
})

type Question = Readonly<Record<string, string | number>>

const COMPANIONS: Question = {
  dim_key: 'a',
  month: '2026-01',
  months: 3,
  limit: 7,
  api_key: 'svc_k_a',
}

/**
 * Every metric, dimension and window: with what goes with them, and with each companion added or
 * taken away.
 */
function listQuestions(): Question[] {
  return METRICS.flatMap((metric) =>
    [undefined, ...DIMENSIONS].flatMap((dimension) =>
      WINDOWS.flatMap((window) => {
        const isByDim = dimension === 'dim' || dimension === 'dim_model'
        const whole: Question = {
          metric,
          window,
          ...(dimension === undefined ? {} : { dimension }),
          ...(isByDim ? { dim_key: 'a' } : {}),
          ...(window === 'month' ? { month: '2026-01' } : {}),
        }
        return [whole, ...Object.keys(COMPANIONS).map((name) => toggle(whole, name))]
      }),
    ),
  )
}

function toggle(question: Question, name: string): Question {
  const { [name]: given, ...rest } = question
  return given === undefined ? { ...rest, [name]: COMPANIONS[name] as string | number } : rest
}

function isAnswered(question: Question): boolean {
  const search = new URLSearchParams(
    Object.entries(question).map(([name, value]) => [name, String(value)]),
  )
  try {
    parseUsageQuery(search, NOW)
    return true
  } catch {
    return false
  }
}

/**
 * The lines of a program that do not compile against the client's types, as a browser's project
 * would.
 */
function listFaults(lines: readonly string[]): number[] {
  const dir = mkdtempSync(path.join(tmpdir(), 'weir-client-types-'))
  try {
    writeFileSync(path.join(dir, 'program.ts'), lines.join('\n'))
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: false,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.asynciterable'],
      types: [],
      paths: { 'weir/client': [path.join(ROOT, 'client', 'weir-client.d.ts')] },
    }
    const config = JSON.stringify({ compilerOptions, files: ['program.ts'] })
    writeFileSync(path.join(dir, 'tsconfig.json'), config)
    return runCompiler(dir)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

function runCompiler(dir: string): number[] {
  const tsc = path.join(ROOT, 'node_modules', '.bin', 'tsc')
  try {
    execFileSync(tsc, ['--pretty', 'false', '-p', dir], {
      encoding: 'utf8',
      maxBuffer: OUTPUT_BYTES_MAX,
    })
    return []
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string }
    return stdout.split('\n').flatMap((line) => {
      if (line === '' || line.startsWith(' ')) return []
      const [, number] = /^(?:.*[/\\])?program\.ts\((\d+),/.exec(line) ?? []
      // A fault anywhere else is one of the types themselves, or of this test.
      assert.ok(number !== undefined, stdout)
      return [Number(number)]
    })
  }
}

test('a question compiles if and only if the API answers it', () => {
  const questions = listQuestions()
  const lines = [
    `import type { UsageQuery } from 'weir/client'`,
    ...questions.map(
      (question, index) => `export const q${index}: UsageQuery = ${JSON.stringify(question)}`,
    ),
  ]
  const faults = new Set(listFaults(lines))
  const wrong = questions.filter(
    (question, index) => isAnswered(question) === faults.has(index + 2),
  )
  assert.deepEqual(wrong.slice(0, 3), [], `${wrong.length} are wrong`)
  const answered = questions.filter(isAnswered).length
  assert.ok(answered > 40 && answered < questions.length / 5, `${answered} are answered`)
})

test('questions of other types do not compile, nor does what an answer does not hold', () => {
  const faults = listFaults([
    `import { createWeirClient, WeirApiError, CATALOGUE, API_ERROR_CODES } from 'weir/client'`,
    `const client = createWeirClient({ url: 'http://localhost', token: 'a', fetch })`,
    `const { rows, asOf } = await client.usage({ metric: 'tokens', window: 'month_to_date' })`,
    `const value: number | undefined = rows[0]?.value`,
    `const bucket: string | null | undefined = rows[0]?.bucket`,
    `for await (const row of client.allRequests({ status: 'denied' })) console.log(row.dims['a'])`,
    `const reader = (await client.exportUsage({ month: '2026-01' })).getReader()`,
    `const code = new Error() instanceof WeirApiError ? API_ERROR_CODES[0] : CATALOGUE[0]?.metric`,
    `console.log(asOf.length, value, bucket, reader, code)`,
    `await client.usage({ metric: 'cost_usd', window: 'today', dimension: 'provider', limit: '5' })`,
    `await client.requests({ status: 'lost' })`,
    `await client.exportFocus({})`,
    `rows[0]!.cost`,
    `createWeirClient({ url: 'http://localhost' })`,
  ])
  assert.deepEqual(faults, [10, 11, 12, 13, 14])
})
