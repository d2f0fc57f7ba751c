// The systemd units: what Node alone can check of them, and what systemd says of them where it is
// installed.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '../../src/cli/commands.ts'
import { defaultOf, unknownVariablesIn } from './settings-in.ts'
import { DEPLOY_FOLDER, lacking, listDeployed, readDeployed, runTool } from './tools.ts'

const FILES = listDeployed('systemd')
const UNITS = FILES.filter((file) => file.endsWith('.service'))
/** In tenths, as systemd-analyze takes it; 0 is the safest, 100 the least safe. */
const EXPOSURE_MAX = 30

/** All values of a directive, in their order. */
function valuesOf(unit: string, directive: string): string[] {
  const lines = readDeployed(unit).split('\n')
  const prefix = `${directive}=`
  return lines.flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length)] : []))
}

test('the units and the sample of variables name only settings that there are', () => {
  assert.equal(UNITS.length, 4)
  for (const file of FILES) assert.deepEqual(unknownVariablesIn(readDeployed(file)), [], file)
})

for (const unit of UNITS) {
  const name = path.basename(unit)
  test(`${name} starts a command of Weir and lets V8 compile`, () => {
    const [, command = ''] =
      /^\/usr\/bin\/weir (\w+)$/.exec(valuesOf(unit, 'ExecStart').join()) ?? []
    assert.ok(
      COMMANDS.some(({ path: [first] }) => first === command),
      command,
    )
    assert.deepEqual(valuesOf(unit, 'MemoryDenyWriteExecute'), ['no'])
  })

  test(`${name} reads a secret only from a credential that it loads`, () => {
    const loaded = valuesOf(unit, 'LoadCredential').map((value) => value.split(':')[0])
    const files = valuesOf(unit, 'Environment').flatMap(
      (value) => /_FILE=%d\/(.+)$/.exec(value)?.[1],
    )
    assert.deepEqual(
      files.filter((file) => file !== undefined),
      loaded,
    )
  })

  test(
    `${name} is verified by systemd, and at most 3.0 exposed`,
    { skip: lacking('systemd-analyze') },
    async () => {
      const file = path.join(DEPLOY_FOLDER, unit)
      const words = [
        'security',
        '--offline=true',
        `--threshold=${EXPOSURE_MAX}`,
        '--no-pager',
        file,
      ]
      const exposure = await runTool('systemd-analyze', words)
      assert.equal(exposure.code, 0, exposure.said)
      const folder = mkdtempSync(path.join(tmpdir(), 'weir-units-'))
      try {
        const copy = path.join(folder, name)
        // It looks for the program, which need not be installed where this runs.
        writeFileSync(copy, readDeployed(unit).replace('/usr/bin/weir', process.execPath))
        const verified = await runTool('systemd-analyze', ['verify', copy])
        assert.deepEqual([verified.code, verified.said], [0, ''])
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )
}

const SERVERS = UNITS.filter((unit) => !unit.endsWith('weir-migrate.service'))

test('a stop has the time for a drain, and a reload is a SIGHUP to the supervisor', () => {
  for (const unit of SERVERS) {
    const [seconds] = valuesOf(unit, 'TimeoutStopSec')
    // Calls have the time, then the journal, and processes some more to end.
    assert.ok(Number(seconds) >= 2 * Number(defaultOf('shutdown.drainSeconds')) + 60, unit)
    assert.deepEqual(valuesOf(unit, 'KillMode'), ['mixed'])
    assert.deepEqual(valuesOf(unit, 'ExecReload'), ['/bin/kill -HUP $MAINPID'])
  }
})
