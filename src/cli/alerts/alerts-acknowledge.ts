// weir alerts acknowledge

import type { CommandBody } from '../command.ts'
import { markAlert } from './mark-alert.ts'

export const alertsAcknowledgeCommand: CommandBody = {
  usage: 'weir alerts acknowledge ID [options]',
  arguments: ['ID'],
  options: {},
  run: (input) => markAlert(input, { kind: 'acknowledge' }),
}
