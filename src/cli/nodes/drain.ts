// weir drain: asks the node of this data directory to leave, and waits until its calls are stored.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { takeDrainResult, writeDrainRequest } from '../../app/nodes/drain-request.ts'
import type { DrainResult } from '../../app/nodes/drain-request.ts'
import { formatBytes } from '../../core/format-bytes.ts'
import { loadConfig } from '../../config/config.ts'
import { claimLock } from '../../journal/lock.ts'
import { invalidArgument, option, refused, textOption } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { requireJournals } from '../../app/local/require-data-dir.ts'

export const commands: Commands = {
  drain: {
    options: {
      timeout: option(
        'SECONDS',
        'for running calls and the journal together (default: shutdown.drainSeconds)',
      ),
    },
    run,
  },
}

const LOOK_MS = 100
/** Beyond the time-out, for processes that are ended by force. */
const GRACE_MS = 30_000
const SECONDS_MAX = 604_800

async function run(input: CommandInput): Promise<Shown> {
  const config = loadConfig({ file: input.configFile })
  const timeoutMs = parseTimeout(input) ?? config.shutdown.drainSeconds * 1000
  requireJournals(config)
  const { dataDir } = config
  if (!isRunning(dataDir)) {
    throw refused(
      `No node is running on ${dataDir}.`,
      'weir nodes shows what a node that ended has left; it is stored when Weir starts there again.',
    )
  }
  writeDrainRequest(dataDir, { timeoutMs })
  const hasEnded = await waitForEnd(input, dataDir, timeoutMs + GRACE_MS)
  if (!hasEnded) {
    throw refused(
      `The node on ${dataDir} still runs.`,
      'Its log says why; SIGTERM ends it, and its journals stay on the disk.',
    )
  }
  const left = takeDrainResult(dataDir)
  const isStored = left !== null && left.lagBytes === 0 && left.unread === 0
  const json = {
    stored: isStored,
    left: left && { journal_bytes: left.lagBytes, unread_calls: left.unread },
  }
  return { json, text: describe(left, dataDir), code: isStored ? 0 : 1 }
}

function parseTimeout(input: CommandInput): number | null {
  const text = textOption(input, 'timeout')
  if (text === undefined) return null
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : Infinity
  if (seconds <= SECONDS_MAX) return seconds * 1000
  throw invalidArgument(
    `--timeout must be whole seconds, ${SECONDS_MAX} at most.`,
    'Write --timeout 300.',
  )
}

function isRunning(dataDir: string): boolean {
  const release = claimLock(join(dataDir, 'weir.lock'))
  release?.()
  return release === null
}

async function waitForEnd(
  { clock }: CommandInput,
  dataDir: string,
  waitMs: number,
): Promise<boolean> {
  const endsAt = clock.monotonic() + waitMs
  while (isRunning(dataDir)) {
    if (clock.monotonic() >= endsAt) return false
    await pause(LOOK_MS)
  }
  return true
}

function describe(left: DrainResult | null, dataDir: string): string {
  const later = `Start Weir again on ${dataDir} to store it; keep that directory until then.`
  if (left === null) return `The node has ended; what it left is not known. ${later}`
  if (left.lagBytes === 0 && left.unread === 0) {
    return 'The node has ended, and all its calls are stored.'
  }
  const bytes = formatBytes(left.lagBytes)
  return `The node has ended with ${bytes} of its journal not stored, ${left.unread} calls at least. ${later}`
}
