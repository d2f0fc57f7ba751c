// weir doctor: is everything as it should be, and what to do where it is not.

import { examine } from '../doctor/doctor.ts'
import { printJson } from './command.ts'
import type { CommandBody } from './command.ts'
import { requireDataDir } from '../app/local/require-data-dir.ts'

const MARKS = { ok: 'ok   ', warn: 'warn ', fault: 'FAULT' } as const

const doctorCommand: CommandBody = {
  usage: 'weir doctor [options]',
  options: {
    deep: {
      type: 'boolean',
      about: 'read the whole usage store and compare its sums; takes minutes if it is large',
    },
  },
  run: async (input) => {
    const { configFile, clock } = input
    const findings = await examine({
      configFile,
      clock,
      isDeep: input.values['deep'] === true,
      openDataDir: requireDataDir,
    })
    const isGood = findings.every(({ level }) => level !== 'fault')
    if (input.isJson) {
      const checks = findings.map(({ check, level, text, remedy }) => {
        return { check, ok: level !== 'fault', level, text, remedy }
      })
      printJson(input, { ok: isGood, checks })
    } else {
      for (const { check, level, text, remedy } of findings) {
        input.out(`${MARKS[level]}  ${check.padEnd(14)}  ${text}`)
        if (remedy !== null) input.out(`       ${' '.repeat(14)}  → ${remedy}`)
      }
    }
    return isGood ? 0 : 1
  },
}

export const commands: Readonly<Record<string, CommandBody>> = { doctor: doctorCommand }
