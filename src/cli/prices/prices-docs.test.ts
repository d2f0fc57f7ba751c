// Every command and the file that docs/prices.md shows are run here as they stand there.

import assert from 'node:assert/strict'
import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { msAfterBundle } from '../../../test/fakes/bundle-days.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { openPriceServer, priceDataOf } from '../../../test/fakes/peers/price-server.ts'
import { sampleCall, storeCalls } from '../../../test/fakes/stored-calls.ts'
import { parseRulesFile } from '../../config/price-rules-file.ts'

const PAGE = ['prices.md', 'prices/updates.md']
  .map((page) => readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8'))
  .join('\n')

/** Words of a shell, as far as the page uses them: quotes, and comments at the end. */
function toWords(line: string): string[] {
  const words = line.replace(/\s#\s.*$/, '').match(/'[^']*'|\S+/g) ?? []
  return words.map((word) => word.replace(/^'(.*)'$/, '$1'))
}

test('the commands of the page work, in its order', async (context) => {
  const { weir, json, dataDir, clock } = createCommandLine(context)
  const server = await openPriceServer(context)
  server.publish(priceDataOf('acme-9', 3))
  appendFileSync(`${dataDir}.yaml`, `prices: { updateUrl: '${server.url}' }\n`)
  clock.nowMs = msAfterBundle(16)
  const call = sampleCall({ provider: 'openai', model: 'acme-9', endedAt: clock.nowMs })
  await storeCalls(dataDir, [call])
  const lines = [...PAGE.matchAll(/^ {4}weir (.+)$/gm)].map(([, line = '']) => line)
  assert.ok(lines.length >= 20)
  for (const line of lines) {
    const { rules } = await json<{ rules: { id: string }[] }>('prices', 'list')
    const words = toWords(line).map((word) => {
      if (word.startsWith('price_')) return rules[0]?.id ?? word
      if (word.startsWith('0197f2f0-')) return call.id
      return word === 'prices.json' ? path.join(path.dirname(dataDir), word) : word
    })
    const { code, err } = await weir(...words)
    assert.equal(code, 0, `weir ${line}\n${err}`)
  }
})

test('the file of the page has no fault', () => {
  const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(PAGE) ?? []
  assert.equal(parseRulesFile(yaml, { file: 'prices.yaml', providers: ['openai'] }).length, 3)
})
