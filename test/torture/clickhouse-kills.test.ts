import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NEEDS_STOPPED_RENAMES } from '../fakes/clickhouse/find-clickhouse.ts'
import { byForm } from '../long-form.ts'
import { runClickhouseKills } from './clickhouse-kills.ts'

test(
  'every call is stored once, whenever a node or ClickHouse is killed',
  { skip: NEEDS_STOPPED_RENAMES },
  async (t) => {
    const say = (line: string): void => t.diagnostic(line)
    assert.deepEqual(await runClickhouseKills(t, { rounds: byForm(1, 2), seed: 26, say }), [])
  },
)
