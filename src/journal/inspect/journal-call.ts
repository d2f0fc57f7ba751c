// The lines of one call in the journals, as they stand.

import { parseLine } from '../parse-line.ts'
import { inspectJournals } from './journal-inspection.ts'
import type { InspectedLine, Inspection, InspectionOptions } from './journal-inspection.ts'

export interface CallLine {
  readonly file: string
  readonly offset: number
  readonly isStored: boolean | null
  readonly state: 'whole' | 'unread' | 'damaged'
  readonly text: string
}

export interface CallLines extends Inspection {
  readonly lines: readonly CallLine[]
}

/** A call has three at most; an id found in every line is not an id. */
const LINES_MAX = 100

export async function findCallLines(options: InspectionOptions, id: string): Promise<CallLines> {
  const lines: CallLine[] = []
  const mark = `"id":"${id}"`
  const inspection = await inspectJournals(options, {
    line: (line) => {
      if (lines.length < LINES_MAX && line.bytes.includes(mark)) lines.push(toCallLine(line))
    },
  })
  return { ...inspection, lines }
}

const STATES = { entry: 'whole', unread: 'unread', damaged: 'damaged' } as const

function toCallLine({ segment, offset, isStored, bytes }: InspectedLine): CallLine {
  const state = STATES[parseLine(bytes).kind]
  const text = bytes.toString('utf8')
  return { file: segment.file, offset, isStored, state, text }
}
