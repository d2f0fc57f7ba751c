// The rules of docs/style.md that a machine can check, over the whole checkout. Each rule is also
// fed a sample that breaks it and one that does not: a rule that cannot fail protects nothing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROVIDERS } from '../src/providers/registry.ts'
import { readCheckout, TOP_FOLDER } from './tidy/checkout.ts'
import type { Checkout, Fault } from './tidy/checkout.ts'
import * as imports from './tidy/import-rules.ts'
import { checkLineBudgets, LINE_BUDGETS } from './tidy/line-budgets.ts'
import { checkLoads } from './tidy/load-rules.ts'
import * as source from './tidy/source-rules.ts'
import { checkLongForms, checkTestsRun } from './tidy/test-rules.ts'
import * as words from './tidy/text-rules.ts'

interface Rule {
  readonly name: string
  readonly check: (checkout: Checkout) => Fault[]
  /** Path and text of files; one row is one checkout, and each must be found faulty. */
  readonly bad: readonly Files[]
  readonly good: readonly Files[]
}

type Files = Readonly<Record<string, string>>

const PROVIDER_IDS = PROVIDERS.map((provider) => provider.id)
const SAMPLE_IDS = ['openai', 'gateway']
const SAMPLE_FOLDER = '/srv/checkouts/weir'
// Written apart, so that the rules do not find their own samples.
const TO_DO = 'TO' + 'DO'
const DISABLE = 'oxlint-dis' + 'able-next-line no-console'
const HOME = '/ho' + 'me/ada/weir'
const REGISTRY = 'registry.' + 'example.com'
const PACKAGE = '{ "scripts": { "test": "node --test \\"test/**/*.test.ts\\"" } }'
const SLOW = '{ "scripts": { "test:slow": "node --test \\"test/a.test.ts\\"" } }'
const LONG_FORM = `import { byForm } from './long-form.ts'\n`

const rules: readonly Rule[] = [
  {
    name: 'rooms import only what their row of the table lists',
    check: imports.checkImportTable,
    bad: [
      { 'src/core/a.ts': `import { b } from '../wire/b.ts'` },
      { 'src/pricing/a.ts': `import type { B } from '../journal/journal.ts'` },
      { 'src/proxy/a.ts': `import { b } from '../providers/openai.ts'` },
      { 'src/proxy/a.ts': `import { b } from '../journal/writer.ts'` },
      { 'src/ledger/a.ts': `import {\n  b,\n  c,\n} from '../store/usage/sqlite/store.ts'` },
      { 'src/api/a.ts': `export { b } from '../app/config.ts'` },
      { 'src/cli/a.ts': `const b = await import('../proxy/listen.ts')` },
      { 'src/pricing/tables/a.ts': `import { b } from '../service/b.ts'` },
      { 'src/ledger/a.ts': `fork(new URL('../api/server.ts', import.meta.url))` },
      { 'src/app/a.ts': `import { b } from '../cli/weir.ts'` },
      { 'src/api/a.ts': `import { b } from '../../client/weir-client.js'` },
      { 'src/app/a.ts': `import { b } from '../../client/contract.js'` },
      { 'src/drawer/a.ts': `export const a = 1` },
      { 'src/a.ts': `export const a = 1` },
    ],
    good: [
      { 'src/core/a.ts': `import { b } from './b.ts'\nimport { c } from 'node:fs'` },
      { 'src/core/a.ts': `// import { b } from '../wire/b.ts'` },
      { 'src/proxy/a.ts': `import { b } from '../providers/registry.ts'` },
      { 'src/app/a.ts': `import { b } from '../store/open-store.ts'` },
      { 'src/cli/a.ts': `import { b } from '../../client/weir-client.js'` },
      { 'src/cli/a.ts': `import type { B } from '../api/contract.ts'` },
      { 'src/core/a.test.ts': `import { b } from '../wire/b.ts'` },
    ],
  },
  {
    name: 'no files need each other in a circle, types included',
    check: imports.checkCircles,
    bad: [
      {
        'src/core/a.ts': `import { b } from './b.ts'`,
        'src/core/b.ts': `import type { A } from './a.ts'`,
      },
      {
        'src/core/a.ts': `import { b } from './b.ts'`,
        'src/core/b.ts': `export { c } from './c.ts'`,
        'src/core/c.ts': `import type { A } from './a.ts'`,
      },
    ],
    good: [
      {
        'src/core/a.ts': `import { b } from './b.ts'\nimport { c } from './c.ts'`,
        'src/core/b.ts': `import { c } from './c.ts'`,
        'src/core/c.ts': '',
      },
    ],
  },
  {
    name: 'no folder holds more than 30 source files',
    check: imports.checkFolders,
    bad: [toFolder(31, (number) => `src/core/a${number}.ts`)],
    good: [
      toFolder(30, (number) => `src/core/a${number}.ts`),
      toFolder(60, (number) => `src/core/a${number}.test.ts`),
    ],
  },
  {
    name: 'commands call routes of the API, and no store but where they are about the data',
    check: imports.checkCommandStores,
    bad: [
      { 'src/cli/a.ts': `import { b } from '../store/open-store.ts'` },
      { 'src/cli/keys/a.ts': `import type { B } from '../../store/open-store.ts'` },
    ],
    good: [
      { 'src/cli/data/a.ts': `import { b } from '../../store/open-store.ts'` },
      { 'src/cli/journal/a.ts': `import { b } from '../../store/open-store.ts'` },
      { 'src/cli/a.test.ts': `import { b } from '../store/open-store.ts'` },
    ],
  },
  {
    name: 'only store/open-store.ts names a backend',
    check: imports.checkBackends,
    bad: [
      { 'src/app/main.ts': `import { b } from '../store/usage/sqlite/store.ts'` },
      { 'src/store/usage/a.ts': `import { b } from './sqlite/sums.ts'` },
      { 'src/store/open-patiently.ts': `import { b } from './sqlite/file.ts'` },
    ],
    good: [
      { 'src/store/open-store.ts': `import { b } from '../store/usage/sqlite/store.ts'` },
      { 'src/app/main.ts': `import type { B } from '../store/usage/usage-store.ts'` },
      { 'src/store/ledger/sqlite/a.ts': `import { b } from '../../usage/sqlite/names.ts'` },
    ],
  },
  {
    name: "the console sees only the contract's types and lists that import nothing",
    check: imports.checkConsole,
    bad: [
      { 'console/src/a.ts': `import { b } from '../../src/api/contract.ts'` },
      { 'console/src/pages/a.tsx': `import type { B } from '../../../src/core/usage-event.ts'` },
      { 'src/api/a.ts': `import { b } from '../../console/src/b.ts'` },
      { 'src/api/usage/catalogue.ts': `import { z } from 'zod'` },
      { 'recipes/a.ts': `import type { B } from '../src/core/b.ts'` },
      { 'recipes/a.ts': `import { b } from 'node:fs'` },
    ],
    good: [
      { 'console/src/a.ts': `import { b } from '../../src/api/usage/catalogue.ts'` },
      { 'console/src/a.ts': `import type { B } from '../../src/api/contract.ts'` },
      { 'console/src/a.tsx': `import { b } from './b.tsx'\nimport { c } from 'react'` },
      { 'console/src/a.ts': `import { b } from '../../recipes/b.ts'` },
      { 'recipes/a.ts': `import { b } from './b.ts'` },
    ],
  },
  {
    name: 'the program imports only packages that are installed with it',
    check: imports.checkPackages,
    bad: [
      {
        'package.json': `{ "devDependencies": { "vite": "1" } }`,
        'src/app/a.ts': `import { b } from 'vite'`,
      },
      { 'src/app/a.ts': `import { b } from '@scope/name/part'` },
    ],
    good: [
      {
        'package.json': `{ "dependencies": { "@scope/name": "1" } }`,
        'src/app/a.ts': `import { b } from '@scope/name/part'\nimport type { C } from 'vite'`,
      },
    ],
  },
  {
    name: 'nothing is loaded where it is not needed',
    check: checkLoads,
    bad: [
      { 'src/config/config.ts': `import { a } from '../providers/registry.ts'` },
      { 'src/app/proxy-role.ts': `import { z } from 'zod'` },
      {
        'src/app/main.ts': `import { a } from './a.ts'`,
        'src/app/a.ts': `export { b } from '../providers/registry.ts'`,
      },
    ],
    good: [
      { 'src/config/config.ts': `import type { A } from '../providers/registry.ts'` },
      {
        'src/cli/weir.ts': `const a = await import('./a.ts')`,
        'src/cli/a.ts': `import { b } from '../app/config.ts'`,
      },
    ],
  },
  {
    name: 'no file of the program is dead',
    check: imports.checkDeadFiles,
    bad: [
      { 'src/core/a.ts': '' },
      { 'src/core/a.ts': '', 'src/core/a.test.ts': `import { a } from './a.ts'` },
    ],
    good: [
      { 'src/cli/weir.ts': `import { a } from '../core/a.ts'`, 'src/core/a.ts': '' },
      { 'src/cli/weir.ts': `new URL('../core/a.ts', import.meta.url)`, 'src/core/a.ts': '' },
    ],
  },
  {
    name: 'every room has its door',
    check: imports.checkDoors,
    bad: [{}],
    good: [Object.fromEntries(imports.DOORS.map((door) => [door, '']))],
  },
  {
    name: 'only the configuration reads the environment',
    check: source.checkEnvironment,
    bad: [
      { 'src/app/a.ts': `const a = process.env['A']` },
      { 'src/app/a.ts': `const a = process['env'].A` },
      { 'src/app/a.ts': `const { env } = process` },
    ],
    good: [
      { 'src/config/config.ts': `const a = process.env['A']` },
      { 'src/app/a.ts': `// process.env is read in config.ts` },
      { 'src/app/a.test.ts': `spawn('a', { env: process.env })` },
    ],
  },
  {
    name: 'time comes from the clock',
    check: source.checkTime,
    bad: [
      { 'src/app/a.ts': `const a = Date.now()` },
      { 'src/app/a.ts': `const a = new Date( )` },
      { 'src/app/a.ts': `const a = performance.now()` },
    ],
    good: [
      { 'src/core/clock.ts': `const a = Date.now()` },
      { 'src/app/a.ts': `const a = new Date(clock.now())` },
      { 'src/app/a.test.ts': `const a = Date.now()` },
    ],
  },
  {
    name: 'no provider is named outside src/providers and src/pricing',
    check: (checkout) => source.checkProviderIds(checkout, SAMPLE_IDS),
    bad: [
      { 'src/proxy/a.ts': `if (provider.id === 'openai') return` },
      { 'src/api/a.ts': 'const a = `gateway`' },
    ],
    good: [
      { 'src/providers/openai.ts': `const id = 'openai'` },
      { 'src/core/usage-record.ts': `type CostSource = 'gateway'` },
      { 'src/proxy/a.ts': `const shape = 'openai-chat' // not 'openai'` },
    ],
  },
  {
    name: 'no file is longer than 500 lines',
    check: source.checkLength,
    bad: [{ 'src/core/a.ts': 'a\n'.repeat(501) }, { 'test/e2e/a.test.ts': 'a\n'.repeat(501) }],
    good: [{ 'src/core/a.ts': 'a\n'.repeat(500) }, { 'docs/a.md': 'a\n'.repeat(501) }],
  },
  {
    name: 'no room has more lines than its budget',
    check: (files) => checkLineBudgets(files, { 'src/core': 3, console: 2 }),
    bad: [
      { 'src/core/a.ts': 'a\n'.repeat(2), 'src/core/b/c.ts': 'a\n'.repeat(2) },
      { 'console/src/a.css': 'a\n'.repeat(3) },
      { 'src/drawer/a.ts': 'a\n' },
    ],
    good: [
      { 'src/core/a.ts': 'a\n'.repeat(3), 'src/core/a.test.ts': 'a\n'.repeat(9) },
      { 'test/a.ts': 'a\n'.repeat(9), 'console/index.html': 'a\n'.repeat(9) },
    ],
  },
  {
    name: 'files and folders are named after what they hold, in kebab-case',
    check: source.checkNames,
    bad: [
      { 'src/core/utils.ts': '' },
      { 'src/core/string-helpers.ts': '' },
      { 'src/common/a.ts': '' },
      { 'console/src/index.tsx': '' },
      { 'src/core/types.ts': '' },
      { 'src/core/usageEvent.ts': '' },
      { 'console/src/ui/Button.tsx': '' },
    ],
    good: [
      { 'src/core/usage-event.ts': '', 'src/core/usage-event.test.ts': '' },
      { 'console/index.html': '', 'console/vite.config.ts': '', 'console/src/vite-env.d.ts': '' },
    ],
  },
  {
    name: 'every file opens with what it is for',
    check: source.checkOpening,
    bad: [{ 'src/core/a.ts': `import { b } from './b.ts'` }, { 'scripts/a.js': '' }],
    good: [
      { 'src/core/a.ts': '// What a is for.\n' },
      { 'src/core/a.test.ts': `import { a } from './a.ts'` },
    ],
  },
  {
    name: 'comments are at most 100 columns wide',
    check: source.checkCommentWidth,
    bad: [
      { 'src/core/a.ts': `// ${'word '.repeat(20)}` },
      { 'src/core/a.ts': `  /** ${'word '.repeat(20)}*/` },
    ],
    good: [
      { 'src/core/a.ts': `// ${'word '.repeat(19)}` },
      { 'src/core/a.ts': `// https://example.com/${'a'.repeat(100)}` },
      { 'src/core/a.ts': `const text = '${'word '.repeat(30)}'` },
    ],
  },
  {
    name: 'every test is run once',
    check: checkTestsRun,
    bad: [
      { 'package.json': PACKAGE, 'src/core/a.test.ts': '' },
      { 'package.json': PACKAGE, 'demo/a.test.ts': '', 'test/a.test.ts': '' },
      { 'src/core/a.test.ts': '', 'test/core.test.ts': `runTogether('src/core')` },
      {
        'package.json': PACKAGE,
        'src/core/a.test.ts': '',
        'test/core.test.ts': `runTogether('src/core')\nrunTogether('src')`,
      },
    ],
    good: [
      {
        'package.json': PACKAGE,
        'src/core/a.test.ts': '',
        'test/core.test.ts': `runTogether('src/core')`,
      },
    ],
  },
  {
    name: 'every long form is run, and nothing else is named for it',
    check: checkLongForms,
    bad: [
      { 'package.json': SLOW, 'test/a.test.ts': '', 'test/b.test.ts': LONG_FORM },
      { 'package.json': SLOW, 'test/b.test.ts': '' },
    ],
    good: [{ 'package.json': SLOW, 'test/a.test.ts': LONG_FORM, 'test/b.test.ts': '' }],
  },
  {
    name: "work left over carries an issue's number",
    check: words.checkToDos,
    bad: [{ 'src/core/a.ts': `// ${TO_DO}: later` }],
    good: [{ 'src/core/a.ts': `// ${TO_DO} (#12): later` }],
  },
  {
    name: 'a rule that is switched off has its reason beside it',
    check: words.checkDisabledRules,
    bad: [{ 'src/core/a.ts': `// ${DISABLE}` }],
    good: [{ 'src/core/a.ts': `// ${DISABLE} -- the terminal is the output here` }],
  },
  {
    name: 'names are made of common words',
    check: words.checkIdentifiers,
    bad: [
      { 'src/core/a.ts': `const held${'Port'} = 1` },
      { 'src/core/a.ts': `interface ${'Gate'}State {}` },
      { 'console/src/a.tsx': `function ${'letGo'}() {}` },
      { 'test/a.test.ts': `const ${'told'} = []` },
    ],
    good: [
      { 'src/core/a.ts': `const thresholds = placeholder // told, held` },
      { 'src/core/a.ts': `const kind = 'held'` },
      { 'src/core/a.ts': `const { heldBytesMax } = policy` },
    ],
  },
  {
    name: 'screens and terminals speak in common words',
    check: words.checkScreenTexts,
    bad: [
      { 'src/cli/a.ts': `out('It was priced anew.')` },
      { 'console/src/a.tsx': '<p>\n  The dearest model\n</p>' },
    ],
    good: [
      { 'src/cli/a.ts': `out('It was repriced.') // anew` },
      { 'src/core/a.ts': `const text = 'anew'` },
    ],
  },
  {
    name: "nothing names a folder of somebody's machine or a package registry",
    check: (checkout) => words.checkPlaces(checkout, SAMPLE_FOLDER),
    bad: [
      { 'docs/a.md': `cd ${HOME}` },
      { 'docs/a.md': `cd ${SAMPLE_FOLDER}/src` },
      { '.npmrc': `reg` + `istry = https://a` },
      { 'docs/a.md': `see https://${REGISTRY}/weir` },
      { 'package-lock.json': `"reso` + `lved": "https://a/b.tgz"` },
    ],
    good: [{ 'docs/a.md': 'the provider registry; /home is where it starts; ./data' }],
  },
  {
    name: 'links in the documents lead somewhere',
    check: words.checkLinks,
    bad: [
      { 'README.md': '[a](docs/a.md)' },
      { 'docs/a.md': '[b](../b.md)' },
      { 'README.md': '[a](docs/a.md#no-such)', 'docs/a.md': '# Such\n' },
      { 'README.md': '[a](#no-such)' },
    ],
    good: [
      { 'README.md': '[a](docs/a.md#so-its-there) [b](docs/)', 'docs/a.md': "## So it's there\n" },
      { 'README.md': '[a](https://example.com) `[b](c.md)`\n```\n[d](e.md)\n```\n' },
    ],
  },
  {
    name: 'pages of the console link documentation that is there',
    check: words.checkDocsLinks,
    bad: [
      { 'console/src/a.tsx': '<Page docs="budgets" />' },
      { 'console/src/a.tsx': '<a href="/docs/a.html#no-such" />', 'docs/a.md': '# Such\n' },
    ],
    good: [
      { 'console/src/a.tsx': '<Page docs="api/a#such" />', 'docs/api/a.md': '# Such\n' },
      { 'console/src/a.tsx': '<Page docs="recipes/index" />', 'docs/recipes/README.md': '' },
    ],
  },
]

function toFolder(count: number, toPath: (number: number) => string): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, number) => [toPath(number), '']))
}

function toCheckout(files: Files): Checkout {
  return Object.entries(files).map(([path, text]) => ({ path, text }))
}

for (const { name, check, bad, good } of rules) {
  test(`the rule can fail: ${name}`, () => {
    for (const files of bad) {
      assert.notDeepEqual(check(toCheckout(files)), [], `not found: ${JSON.stringify(files)}`)
    }
    for (const files of good) assert.deepEqual(check(toCheckout(files)), [])
  })
}

/** The same rules with what holds for this checkout: its providers and its place. */
const checkout = readCheckout()
const real: Readonly<Record<string, (checkout: Checkout) => Fault[]>> = {
  'no room has more lines than its budget': (files) => checkLineBudgets(files, LINE_BUDGETS),
  'no provider is named outside src/providers and src/pricing': (files) =>
    source.checkProviderIds(files, PROVIDER_IDS),
  "nothing names a folder of somebody's machine or a package registry": (files) =>
    words.checkPlaces(files, TOP_FOLDER),
}

for (const { name, check } of rules) {
  test(name, () => {
    const faults = (real[name] ?? check)(checkout)
    assert.deepEqual(faults, [], `\n${faults.join('\n')}\n`)
  })
}

test('the import table has no circles: no row names a room below it', () => {
  assert.deepEqual(imports.findUpwardRows(), [])
})

test('every exception of a rule is still needed', () => {
  const textOf = (path: string): string => checkout.find((file) => file.path === path)?.text ?? ''
  for (const { path, words: excepted } of source.PROVIDER_WORD_EXCEPTIONS) {
    for (const word of excepted) assert.ok(textOf(path).includes(`'${word}'`), `${path}: ${word}`)
  }
  for (const { path } of source.LENGTH_EXCEPTIONS) {
    assert.ok(textOf(path).split('\n').length > source.LINES_MAX, path)
  }
})
