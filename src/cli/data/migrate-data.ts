// weir migrate-data: the calls while Weir runs, the rest once it is stopped, then every figure is
// compared.

import { claimDataDir } from '../../backup/data-dir.ts'
import { isClickhouseUrl } from '../../config/database-url.ts'
import { formatMoney } from '../../core/money.ts'
import { openStoreMove } from '../../store/open-store.ts'
import type { StoreMove } from '../../store/open-store.ts'
import { compareStores } from '../../ledger/compare-stores.ts'
import type { StoreComparison } from '../../ledger/compare-stores.ts'
import { flag, invalidArgument, option, refused, REQUIRED, textOption } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { requireDataDir } from '../../app/local/require-data-dir.ts'
import { copyUntilStopped, toProgress, UNFINISHED } from './copy-until-stopped.ts'
import { moveCalls } from './move-calls.ts'

export const commands: Commands = {
  'migrate-data': {
    usage: 'weir migrate-data --from DIR --to URL [options]',
    options: {
      from: option(
        'DIR',
        'the data directory; or a PostgreSQL URL, to move its calls into ClickHouse',
        REQUIRED,
      ),
      to: option('URL', 'an empty PostgreSQL database: postgres://USER:PASSWORD@HOST/DATABASE'),
      'usage-to': option(
        'URL',
        'as usage.url: another database for usage, or a ClickHouse for calls',
      ),
      'no-wait': flag('copy the calls so far and end; the next run goes on from there'),
    },
    run,
  },
}

const POSTGRES = /^postgres(?:ql)?:/

async function run(input: CommandInput): Promise<Shown> {
  const from = textOption(input, 'from') as string
  const usageTo = textOption(input, 'usage-to')
  const callsUrl = usageTo !== undefined && isClickhouseUrl(usageTo) ? usageTo : null
  if (POSTGRES.test(from)) return moveCalls(input, { from, callsUrl })
  const settingsUrl = textOption(input, 'to') ?? ''
  if (!POSTGRES.test(settingsUrl)) {
    throw invalidArgument(
      settingsUrl === '' ? '--to is missing.' : '--to is no PostgreSQL URL.',
      'Write --to postgres://USER:PASSWORD@HOST:5432/DATABASE.',
    )
  }
  const usageUrl = callsUrl === null ? (usageTo ?? settingsUrl) : settingsUrl
  requireDataDir(from)
  const nowMs = input.clock.now()
  const places = { dataDir: from, usageUrl, callsUrl }
  const move = await openStoreMove({ ...places, settingsUrl, nowMs })
  try {
    const claim = async (): Promise<(() => void) | null> => claimDataDir(from)
    const release = await copyUntilStopped(input, { move, claim })
    if (release === null) return UNFINISHED
    try {
      return await finish(input, { ...places, move })
    } finally {
      release()
    }
  } finally {
    await move.close()
  }
}

interface Finish {
  readonly move: StoreMove
  readonly dataDir: string
  readonly usageUrl: string
  readonly callsUrl: string | null
}

async function finish(input: CommandInput, places: Finish): Promise<Shown> {
  const { move, dataDir, usageUrl, callsUrl } = places
  const rows = await move.finish(toProgress(input))
  const { clock } = input
  const comparison = await compareStores({ dataDir, url: usageUrl, callsUrl, clock })
  const { months, differences } = comparison
  if (differences.length > 0) {
    throw refused(
      `The figures differ: ${differences.slice(0, 3).join('; ')}.`,
      'Go on with the data directory, which was not changed, and report this.',
    )
  }
  const json = {
    finished: true,
    settings: Object.fromEntries(rows.settings),
    usage: Object.fromEntries(rows.usage),
    months: months.map(({ month, requests, cost }) => {
      return { month, requests, cost_usd: formatMoney(cost) }
    }),
  }
  return { json, text: describe(comparison, callsUrl) }
}

function describe({ months, records }: StoreComparison, callsUrl: string | null): string {
  const lines = months.map(
    ({ month, requests, cost }) => `  ${month}  ${requests} calls  $${formatMoney(cost)}`,
  )
  const [where, names] =
    callsUrl === null
      ? [`All settings and ${records} calls are in PostgreSQL.`, 'settings.url (WEIR_SETTINGS_URL)']
      : [
          `All settings and sums are in PostgreSQL, and ${records} calls in ClickHouse.`,
          'settings.url and usage.url (WEIR_SETTINGS_URL, WEIR_USAGE_URL)',
        ]
  return [
    `${where} Figures before and after are equal:`,
    ...lines,
    `Now set ${names} and start Weir on the same data directory: its`,
    'journals go on from where they were. The SQLite files are no longer used; keep them for a while.',
  ].join('\n')
}
