// The real Claude Code in a terminal of its own: it signs in by device code, calls, shows a budget,
// and is refused once its person is deactivated. It is no package of ours: WEIR_TEST_CLAUDE_CODE
// has the path of its program. Tried with 2.1.326.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import type { BudgetRow } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { until } from '../e2e/people.ts'
import { askUrl } from '../fakes/callers/device-client.ts'
import { openClaudeScene } from './claude-scene.ts'

const program = process.env['WEIR_TEST_CLAUDE_CODE']
const skip = program === undefined ? 'not run: WEIR_TEST_CLAUDE_CODE names no Claude Code' : false
const WAIT_MS_MAX = 120_000
/** It takes keys only once it has drawn what they are about. */
const SETTLE_MS = 1500
const [UP, DOWN, ENTER] = ['\u001B[A', '\u001B[B', '\r']

interface Terminal {
  /** Resolves with what was found since the last key. */
  readonly shows: (what: RegExp) => Promise<string>
  readonly press: (...keys: readonly string[]) => Promise<void>
}

function openTerminal(t: TestContext, base: string): Terminal {
  const home = mkdtempSync(join(tmpdir(), 'weir-claude-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const place = join(home, 'work')
  mkdirSync(place)
  const settings = { forceLoginMethod: 'gateway', forceLoginGatewayUrl: base, theme: 'dark' }
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings))
  const { PATH = '' } = process.env
  const child = spawn('script', ['-qfec', `stty cols 150 rows 50; exec ${program}`, '/dev/null'], {
    cwd: place,
    env: {
      PATH,
      HOME: home,
      CLAUDE_CONFIG_DIR: home,
      TERM: 'xterm-256color',
      BROWSER: '/bin/true',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  t.after(() => void child.kill('SIGKILL'))
  let seen = ''
  child.stdout.on('data', (bytes: Buffer) => (seen += toText(bytes.toString())))
  return {
    async shows(what) {
      const endsAt = systemClock.monotonic() + WAIT_MS_MAX
      while (!what.test(seen)) {
        assert.ok(systemClock.monotonic() < endsAt, `${what} is not in:\n${seen}`)
        await pause(50)
      }
      return what.exec(seen)?.[0] ?? ''
    },
    async press(...keys) {
      await pause(SETTLE_MS)
      seen = ''
      for (const key of keys) {
        child.stdin.write(key)
        await pause(SETTLE_MS)
      }
    },
  }
}

/** What is drawn, without blanks, most of which are moves of the cursor, and without colours. */
function toText(drawn: string): string {
  return (
    drawn
      // oxlint-disable-next-line no-control-regex -- terminals are spoken to by control characters
      .replaceAll(/\u001B(?:\[[\d;?<>=]*[ -/]*[@-~]|\][^\u0007]*\u0007|[^[\]])/g, '')
      .replaceAll(/\s/g, '')
  )
}

test(
  'Claude Code signs in, calls, shows a budget and is refused after deactivation',
  { skip },
  async (t) => {
    const scene = await openClaudeScene(t)
    const { json } = scene.commands
    const ada = await scene.person('ada')
    const claude = openTerminal(t, scene.base)
    await claude.shows(/Choosethetextstyle/)
    await claude.press(ENTER)
    await claude.shows(/Entertoconnect/)
    await claude.press(ENTER)
    await claude.shows(/Yes,trustthisgateway/)
    await claude.press(UP, ENTER)
    const userCode = await claude.shows(/[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/)
    const body = { user_code: userCode, team_id: scene.teamId }
    const approved = await ada.browser.ask('/v1/device/approve', { method: 'POST', body })
    assert.equal(approved.status, 200)
    await claude.shows(/SignedintoCloudgatewayasada@example\.com/)
    await claude.press(UP, ENTER)
    await claude.shows(/PressEntertocontinue/)
    await claude.press(ENTER)
    await claude.shows(/Securitynotes/)
    await claude.press(ENTER)
    await claude.shows(/Itrustthisfolder/)
    await claude.press(DOWN, ENTER)
    await claude.shows(/shift\+tab/)

    const price = ['--input', '100000', '--output', '100000']
    await json('prices', 'set', 'anthropic', 'claude-fake-1', ...price)
    await claude.press('Name a river.', ENTER)
    await claude.shows(/TheIster\./)
    const scope = ['--scope', `person=${ada.email}`, '--period', 'month', '--block']
    const made = ['budgets', 'create', '--name', 'Ada', '--limit-usd', '100', ...scope]
    const { id } = await json<BudgetRow>(...made)
    const headers = { authorization: `Bearer ${scene.admin}` }
    let spent = 0
    await until(async () => {
      const { text } = await askUrl(`${scene.program.addresses.api}/v1/budgets`, { headers })
      spent = (JSON.parse(text) as { rows: BudgetRow[] }).rows[0]?.spent_usd ?? 0
      return spent > 0
    })
    await json('budgets', 'update', id, '--limit-usd', (spent / 0.8).toFixed(2))
    await pause(SETTLE_MS)
    await claude.press('Name another.', ENTER)
    await claude.shows(/used\d+%ofyourusagecredits/)

    await json('users', 'update', ada.email, '--disable')
    await pause(SETTLE_MS)
    await claude.press('And one more.', ENTER)
    await claude.shows(/run\/login/)
  },
)
