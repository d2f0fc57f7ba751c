// weir doctor: is everything as it should be, and what to do where it is not.

import { examine } from '../app/doctor.ts'
import { printJson } from './command.ts'
import type { Command } from './command.ts'

export const doctorCommand: Command = {
  path: ['doctor'],
  summary: 'Check configuration, disk, engines, journal and clock.',
  usage: 'weir doctor [options]',
  options: {},
  run: async (input) => {
    const findings = await examine(input.configFile, input.clock)
    const isGood = findings.every((finding) => finding.isGood)
    if (input.isJson) {
      const checks = findings.map(({ check, isGood: ok, text, remedy }) => ({
        check,
        ok,
        text,
        remedy,
      }))
      printJson(input, { ok: isGood, checks })
    } else {
      for (const { check, isGood: ok, text, remedy } of findings) {
        input.out(`${ok ? 'ok   ' : 'FAULT'}  ${check.padEnd(14)}  ${text}`)
        if (remedy !== null) input.out(`       ${' '.repeat(14)}  → ${remedy}`)
      }
    }
    return isGood ? 0 : 1
  },
}
