// weir alerts reopen

import type { CommandBody } from '../command.ts'
import { markAlert } from './mark-alert.ts'

export const alertsReopenCommand: CommandBody = {
  usage: 'weir alerts reopen ID [options]',
  arguments: ['ID'],
  options: {},
  run: (input) => markAlert(input, { kind: 'reopen' }),
}
