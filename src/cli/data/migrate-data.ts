// weir migrate-data: the calls while Weir runs, the rest once it is stopped, then every figure is
// compared.

import { setTimeout as pause } from 'node:timers/promises'
import { claimDataDir } from '../../backup/data-dir.ts'
import { formatMoney } from '../../core/money.ts'
import { openStoreMove } from '../../store/open-store.ts'
import type { StoreMove } from '../../store/open-store.ts'
import { compareStores } from '../../ledger/compare-stores.ts'
import type { StoreComparison } from '../../ledger/compare-stores.ts'
import { invalidArgument, printJson, refused, textOption } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { createProgress } from '../progress.ts'
import { requireDataDir } from '../require-data-dir.ts'

export const migrateDataCommand: CommandBody = {
  usage: 'weir migrate-data --from DIR --to URL [options]',
  options: {
    from: { type: 'string', value: 'DIR', about: 'the data directory', isRequired: true },
    to: {
      type: 'string',
      value: 'URL',
      about: 'an empty PostgreSQL database: postgres://USER:PASSWORD@HOST/DATABASE',
      isRequired: true,
    },
    'usage-to': { type: 'string', value: 'URL', about: 'another database for usage' },
    'no-wait': {
      type: 'boolean',
      about: 'copy the calls so far and end; the next run goes on from there',
    },
  },
  run,
}

/** While Weir runs, calls are copied this often, so that little is left when it stops. */
const PASS_MS = 10_000

async function run(input: CommandInput): Promise<number> {
  const dataDir = textOption(input, 'from') as string
  const settingsUrl = textOption(input, 'to') as string
  const usageUrl = textOption(input, 'usage-to') ?? settingsUrl
  if (!/^postgres(?:ql)?:/.test(settingsUrl)) {
    throw invalidArgument(
      '--to is no PostgreSQL URL.',
      'Write postgres://USER:PASSWORD@HOST:5432/DATABASE.',
    )
  }
  requireDataDir(dataDir)
  const nowMs = input.clock.now()
  const move = await openStoreMove({ dataDir, settingsUrl, usageUrl, nowMs })
  try {
    const release = await copyUntilStopped(input, move, dataDir)
    if (release === null) return describeRest(input)
    try {
      return await finish(input, { move, dataDir, usageUrl })
    } finally {
      release()
    }
  } finally {
    await move.close()
  }
}

/** Null where it is not to wait for Weir to be stopped. */
async function copyUntilStopped(
  input: CommandInput,
  move: StoreMove,
  dataDir: string,
): Promise<(() => void) | null> {
  for (let pass = 1; ; pass += 1) {
    const release = claimDataDir(dataDir)
    if (release !== null) return release
    const copied = await move.copyRecords(toProgress(input))
    if (input.values['no-wait'] === true) return null
    if (pass === 1) {
      input.err(`${copied} calls copied while Weir runs. Stop Weir now: the rest takes moments.`)
      input.err('Until then, new calls are copied every ten seconds. Ctrl-C ends this, too.')
    }
    await pause(PASS_MS)
  }
}

interface Finish {
  readonly move: StoreMove
  readonly dataDir: string
  readonly usageUrl: string
}

async function finish(input: CommandInput, { move, dataDir, usageUrl }: Finish): Promise<number> {
  const rows = await move.finish(toProgress(input))
  const comparison = await compareStores({ dataDir, url: usageUrl, clock: input.clock })
  const { months, differences } = comparison
  if (differences.length > 0) {
    throw refused(
      `The figures differ: ${differences.slice(0, 3).join('; ')}.`,
      'Go on with the data directory, which was not changed, and report this.',
    )
  }
  if (input.isJson) {
    printJson(input, {
      finished: true,
      settings: Object.fromEntries(rows.settings),
      usage: Object.fromEntries(rows.usage),
      months: months.map(({ month, requests, cost }) => ({
        month,
        requests,
        cost_usd: formatMoney(cost),
      })),
    })
    return 0
  }
  input.out(describe(comparison))
  return 0
}

function describe({ months, records }: StoreComparison): string {
  const lines = months.map(
    ({ month, requests, cost }) => `  ${month}  ${requests} calls  $${formatMoney(cost)}`,
  )
  return [
    `All settings and ${records} calls are in PostgreSQL. Figures before and after are equal:`,
    ...lines,
    'Now set settings.url (WEIR_SETTINGS_URL) and start Weir on the same data directory: its',
    'journals go on from where they were. The SQLite files are no longer used; keep them for a while.',
  ].join('\n')
}

function describeRest(input: CommandInput): number {
  if (input.isJson) printJson(input, { finished: false })
  else input.out('The calls so far are copied. Stop Weir and run this again to finish.')
  return 0
}

function toProgress(input: CommandInput): Parameters<StoreMove['copyRecords']>[0] {
  const progress = createProgress(input)
  return ({ done, wanted }) => progress('copying calls', done, wanted)
}
