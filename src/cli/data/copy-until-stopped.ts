// Copies calls while Weir runs, so that little is left when it stops.

import { setTimeout as pause } from 'node:timers/promises'
import type { CallsMove } from '../../store/open-store.ts'
import type { CommandInput, Shown } from '../command.ts'
import { createProgress } from '../progress.ts'

type Progress = Exclude<Parameters<CallsMove['copyRecords']>[1], undefined>

interface Paces {
  readonly passMs: number
  /** Between two looks whether Weir was stopped: from then on every moment counts. */
  readonly lookMs: number
}

const PACES: Paces = { passMs: 10_000, lookMs: 250 }

interface Copying {
  readonly move: Pick<CallsMove, 'copyRecords'>
  /** Null while Weir runs. */
  readonly claim: () => Promise<(() => void) | null>
  readonly paces?: Paces
}

/** Null where it is not to wait for Weir to be stopped. */
export async function copyUntilStopped(
  input: CommandInput,
  { move, claim, paces: { passMs, lookMs } = PACES }: Copying,
): Promise<(() => void) | null> {
  let release = await claim()
  for (let pass = 1; release === null; pass += 1) {
    const copied = await move.copyRecords(input.clock.now(), toProgress(input))
    if (input.values['no-wait'] === true) return null
    if (pass === 1) {
      input.err(`${copied} calls copied while Weir runs. Stop Weir now: the rest takes moments.`)
      input.err('Until then, new calls are copied every ten seconds. Ctrl-C ends this, too.')
    }
    const until = input.clock.monotonic() + passMs
    do {
      await pause(lookMs)
      release = await claim()
    } while (release === null && input.clock.monotonic() < until)
  }
  return release
}

export const UNFINISHED: Shown = {
  json: { finished: false },
  text: 'The calls so far are copied. Stop Weir and run this again to finish.',
}

export function toProgress(input: CommandInput): Progress {
  const progress = createProgress(input)
  return ({ done, wanted }) => progress('copying calls', done, wanted)
}
