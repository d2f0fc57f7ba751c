// weir usage

import type { Overview, UsageBreakdown, UsageEnvelope } from '../../../client/weir-client.js'
import { isPlainTerminal } from '../../config/config.ts'
import { WeirError } from '../../core/weir-error.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import { flag, UsageError } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { readKeyNames, requireKey } from '../keys/read-keys.ts'
import { toPrintable } from '../printable.ts'
import { formatMoment } from '../table.ts'
import { COLUMNS_DEFAULT } from './usage-bars.ts'
import type { Terminal } from './usage-bars.ts'
import { toUsageCsv } from './usage-csv.ts'
import { formatGlance } from './usage-glance.ts'
import { completeQuestion, parseQuestion, QUESTION_OPTIONS } from './usage-question.ts'
import type { UsageQuestion } from './usage-question.ts'
import { formatAnswer } from './usage-table.ts'
import { describeQuestion, describeRepriced } from './usage-words.ts'

const HINT = 'weir usage --help shows the options.'
const OLDER = 'Is it an older Weir? Update it, or ask with --json, which every version answers.'

export const commands: Commands = {
  usage: apiCommand({
    usage: 'weir usage [--metric METRIC] [--dimension DIMENSION] [--window WINDOW] [options]',
    options: { ...QUESTION_OPTIONS, csv: flag('print CSV with all fields of each row') },
    scope: 'read:usage (and read:keys for api_key)',
    hints: { invalid_parameter: HINT, unknown_catalog_tuple: HINT, not_found: OLDER },
    run,
  }),
}

const KEY_ID = /^svc_k_\w+$/

async function run(input: CommandInput, api: Api): Promise<Shown> {
  const isCsv = input.values['csv'] === true
  if (isCsv && input.isJson) {
    throw new UsageError('--json and --csv exclude each other.', 'Give only one of them.')
  }
  const asked = parseQuestion(input)
  // What is no id at all is refused in the API's words.
  const keyId = asked?.['api_key'] ?? ''
  if (KEY_ID.test(keyId)) await requireKey(api, keyId)
  if (!isCsv && !input.isJson) {
    const text = asked === null ? showGlance(input, api) : showAnswer(input, api, asked)
    return { json: null, text: await text }
  }
  const question = asked ?? completeQuestion({})
  const envelope = await api.get<UsageEnvelope>('/v1/usage', question)
  const csv = isCsv ? toUsageCsv(envelope, await readNames(api, question)) : ''
  // What prints it ends the last line.
  return { json: envelope, text: csv.replace(/\n$/, '') }
}

async function showGlance(input: CommandInput, api: Api): Promise<string> {
  const overview = await api.get<Overview>('/v1/overview')
  // That of an older Weir has none.
  if ((overview as Partial<Overview>).figures === undefined) {
    throw new WeirError('not_found', 'That Weir has no figures at a glance.', { hint: OLDER })
  }
  const text = formatGlance(overview, toTerminal(input))
  const notes = [
    describeSource(api, overview.asOf),
    ...describeRepriced(overview.repriced),
    ...(await noteUnpriced(api)),
  ]
  return [text, '', ...notes].join('\n')
}

async function showAnswer(input: CommandInput, api: Api, question: UsageQuestion): Promise<string> {
  const envelope = await api.get<UsageBreakdown>('/v1/breakdown', question)
  const keyNames = (await readNames(api, question)) ?? new Map()
  const title = toPrintable(describeQuestion(question, envelope.asOf))
  const text = formatAnswer({ question, envelope, keyNames }, toTerminal(input))
  const notes = [
    describeSource(api, envelope.asOf),
    ...describeRepriced(envelope.repriced, question),
  ]
  // Counts include calls of unknown cost, so only money needs the note.
  if (question['metric'] === 'cost_usd') notes.push(...(await noteUnpriced(api)))
  return [title, '', text, '', ...notes].join('\n')
}

/** Undefined where the rows are not keys. */
async function readNames(
  api: Api,
  question: UsageQuestion,
): Promise<ReadonlyMap<string, string> | undefined> {
  return question['dimension'] === 'api_key' ? readKeyNames(api) : undefined
}

function describeSource({ url }: Api, asOf: string): string {
  const place = url === null ? '' : `, from ${toPrintable(url)}`
  return `As of ${formatMoment(Date.parse(asOf))}${place}. Days and months are UTC.`
}

async function noteUnpriced(api: Api): Promise<string[]> {
  if ((await api.list('/v1/prices/missing')).length === 0) return []
  return ['The cost of some calls is not known and counts as 0. To list them: weir prices missing']
}

function toTerminal({ columns = COLUMNS_DEFAULT }: CommandInput): Terminal {
  return { columns, isPlain: isPlainTerminal() }
}
