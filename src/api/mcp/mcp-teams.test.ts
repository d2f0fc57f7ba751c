import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { callTool, openMcpClient } from '../../../test/fakes/peers/mcp-client.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { TokenScope } from '../../core/api-key.ts'
import { TEAM_CODEC } from '../../resources/codecs.ts'

async function openScene(context: TestContext) {
  const api = await openApi(Date.parse('2026-03-15T12:00:00.000Z'))
  context.after(() => api.close())
  const { teams } = api.settings
  const settings = { ...TEAM_CODEC.defaults, allowedModels: ['secret/*'] }
  const { id } = await teams.create({ ...settings, name: 'Engineering', slug: 'engineering' })
  await teams.create({ ...settings, name: 'Search', slug: 'search', parentId: id })
  return async (scope: TokenScope, given: Record<string, unknown>) => {
    const authorization = await api.authorize(scope)
    const client = await openMcpClient({ url: api.url, authorization, mode: 'legacy' })
    try {
      return await callTool(client, 'list_teams', given)
    } finally {
      await client.close()
    }
  }
}

test('the teams are those of GET /v1/teams, without what they allow', async (context) => {
  const list = await openScene(context)
  const { structured, text } = await list('read:keys', { search: 'SEARCH' })
  const { rows } = structured as { rows: Record<string, unknown>[] }
  assert.deepEqual(
    rows.map(({ slug, parent, keys, members }) => [slug, parent, keys, members]),
    [['search', 'Engineering', 0, 0]],
  )
  assert.match(text, /"Search" \(search\); part of "Engineering"; 0 keys, 0 members/)
  assert.doesNotMatch(JSON.stringify(structured), /secret/)
  assert.match((await list('read:keys', { limit: 1 })).text, /ask again with cursor 1\./)
})

test('they are for who may read keys', async (context) => {
  const list = await openScene(context)
  assert.match((await list('read:usage', {})).text, /scope_denied/)
})
