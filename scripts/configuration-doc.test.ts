// docs/configuration.md is what the schema says, today.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SETTINGS } from '../src/config/settings.ts'
import { CONFIGURATION_DOC, renderConfigurationDoc } from './configuration-doc.ts'

test('docs/configuration.md is not stale (mend it: node scripts/configuration-doc.ts)', () => {
  assert.equal(readFileSync(CONFIGURATION_DOC, 'utf8'), renderConfigurationDoc())
})

test('every setting has a description, and its variable is its own', () => {
  for (const { path, description } of SETTINGS) assert.match(description, /^.{10,}\.$/, path)
  assert.equal(new Set(SETTINGS.map(({ variable }) => variable)).size, SETTINGS.length)
})

test('the page names every setting with its variable, but for lists', () => {
  const page = renderConfigurationDoc()
  for (const { path, variable, isList } of SETTINGS) {
    const shown = isList ? '' : `\`${variable}\``
    assert.ok(page.includes(`| \`${path}\` | ${shown} |`), path)
  }
})
