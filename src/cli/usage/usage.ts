// weir usage

import { isPlainTerminal } from '../../config/config.ts'
import { createRemoteUsage } from './remote-usage.ts'
import { createUsageFigures, toUsageCsv } from './usage-figures.ts'
import type { UsageNotes, UsageQuestion, UsageReader } from './usage-figures.ts'
import { printJson, textOption, UsageError } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { requireKey } from '../keys/key-view.ts'
import { noteSilentNodes } from '../nodes/silent-note.ts'
import { toPrintable } from '../printable.ts'
import { formatMoment } from '../table.ts'
import { COLUMNS_DEFAULT } from './usage-bars.ts'
import type { Terminal } from './usage-bars.ts'
import { formatGlance } from './usage-glance.ts'
import { completeQuestion, parseQuestion, QUESTION_OPTIONS } from './usage-question.ts'
import { formatAnswer } from './usage-table.ts'
import { describeQuestion, describeRepriced } from './usage-words.ts'
import { findRemote, URL_OPTION } from '../remote-place.ts'
import { withStores } from '../with-stores.ts'

export const usageCommand: CommandBody = {
  usage: 'weir usage [--metric METRIC] [--dimension DIMENSION] [--window WINDOW] [options]',
  options: {
    ...QUESTION_OPTIONS,
    csv: { type: 'boolean', about: 'print CSV with all fields of each row' },
    ...URL_OPTION,
  },
  run,
}

const KEY_ID = /^svc_k_\w+$/

interface Source extends UsageReader, UsageNotes {
  /** Null for the data directory. */
  readonly url: string | null
}

async function run(input: CommandInput): Promise<number> {
  const isCsv = input.values['csv'] === true
  if (isCsv && input.isJson) {
    throw new UsageError('--json and --csv exclude each other.', 'Give only one of them.')
  }
  const asked = parseQuestion(input)
  await withSource(input, async (source) => {
    if (isCsv || input.isJson) {
      const question = asked ?? completeQuestion({})
      const envelope = await source.ask(question)
      if (input.isJson) printJson(input, envelope)
      // `out` ends the last line.
      else input.out(toUsageCsv(envelope, await readNames(source, question)).replace(/\n$/, ''))
    } else if (asked === null) await showGlance(input, source)
    else await showAnswer(input, source, asked)
  })
  return 0
}

async function withSource(
  input: CommandInput,
  use: (source: Source) => Promise<void>,
): Promise<void> {
  const remote = findRemote(input, 'read:usage (and read:keys for api_key)')
  if (remote !== null) {
    const onWait = (seconds: number): void =>
      input.err(`Rate limit of the token reached; retrying in ${seconds} s.`)
    return use({ ...createRemoteUsage({ ...remote, onWait }), url: remote.url })
  }
  return withStores(input, async ({ usage, settings, ledgerBook }) => {
    // What is no id at all is refused in the API's words.
    const keyId = textOption(input, 'api-key')
    if (keyId !== undefined && KEY_ID.test(keyId)) await requireKey(settings, keyId)
    const readKeyNames = async (): Promise<ReadonlyMap<string, string>> =>
      new Map((await settings.keys.list()).map(({ id, name }) => [id, name]))
    await noteSilentNodes(input)
    await use({
      ...createUsageFigures({ usage, settings, ledgerBook, clock: input.clock }),
      readKeyNames,
      hasUnpriced: async () => (await usage.upkeep.listUnpriced()).length > 0,
      url: null,
    })
  })
}

async function showGlance(input: CommandInput, source: Source): Promise<void> {
  const overview = await source.readOverview()
  const text = formatGlance(overview, toTerminal(input))
  const repriced = describeRepriced(overview.repriced)
  const notes = [
    describeSource(source, overview.asOf),
    ...repriced,
    ...(await noteUnpriced(source)),
  ]
  input.out([text, '', ...notes].join('\n'))
}

async function showAnswer(
  input: CommandInput,
  source: Source,
  question: UsageQuestion,
): Promise<void> {
  const envelope = await source.readBreakdown(question)
  const answer = {
    question,
    envelope,
    keyNames: (await readNames(source, question)) ?? new Map(),
  }
  const title = toPrintable(describeQuestion(question, envelope.asOf))
  const text = formatAnswer(answer, toTerminal(input))
  const repriced = describeRepriced(envelope.repriced, question)
  const notes = [describeSource(source, envelope.asOf), ...repriced]
  // Counts include calls of unknown cost, so only money needs the note.
  if (question['metric'] === 'cost_usd') notes.push(...(await noteUnpriced(source)))
  input.out([title, '', text, '', ...notes].join('\n'))
}

/** Undefined where the rows are not keys. */
async function readNames(
  { readKeyNames }: Source,
  question: UsageQuestion,
): Promise<ReadonlyMap<string, string> | undefined> {
  return question['dimension'] === 'api_key' ? readKeyNames() : undefined
}

function describeSource({ url }: Source, asOf: string): string {
  const place = url === null ? '' : `, from ${toPrintable(url)}`
  return `As of ${formatMoment(Date.parse(asOf))}${place}. Days and months are UTC.`
}

async function noteUnpriced({ hasUnpriced }: Source): Promise<string[]> {
  if (!(await hasUnpriced())) return []
  return ['The cost of some calls is not known and counts as 0. To list them: weir prices missing']
}

function toTerminal({ columns = COLUMNS_DEFAULT }: CommandInput): Terminal {
  return { columns, isPlain: isPlainTerminal() }
}
