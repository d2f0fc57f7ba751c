// weir doctor: is everything as it should be, and what to do where it is not.

import { requireDataDir } from '../app/local/require-data-dir.ts'
import { examine } from '../doctor/doctor.ts'
import { flag } from './command.ts'
import type { CommandInput, Commands, Shown } from './command.ts'

const MARKS = { ok: 'ok   ', warn: 'warn ', fault: 'FAULT' } as const
const CHECK_CHARS = 14

export const commands: Commands = {
  doctor: {
    options: {
      deep: flag('read the whole usage store and compare its sums; takes minutes if it is large'),
    },
    run,
  },
}

async function run({ configFile, clock, values }: CommandInput): Promise<Shown> {
  const isDeep = values['deep'] === true
  const findings = await examine({ configFile, clock, isDeep, openDataDir: requireDataDir })
  const checks = findings.map(({ check, level, text, remedy }) => {
    return { check, ok: level !== 'fault', level, text, remedy }
  })
  const lines = findings.flatMap(({ check, level, text, remedy }) => [
    `${MARKS[level]}  ${check.padEnd(CHECK_CHARS)}  ${text}`,
    ...(remedy === null ? [] : [`       ${' '.repeat(CHECK_CHARS)}  → ${remedy}`]),
  ])
  const ok = checks.every((each) => each.ok)
  return { json: { ok, checks }, text: lines.join('\n'), code: ok ? 0 : 1 }
}
