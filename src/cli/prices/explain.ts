// weir explain

import type { RequestDetail } from '../../../client/weir-client.js'
import { createConfiguredBook } from '../../pricing/service/configured-book.ts'
import { explainRequest } from '../../api/requests/explain-request.ts'
import { WeirError } from '../../core/weir-error.ts'
import { invalidArgument, printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { formatExplained } from './explain-view.ts'
import { readFrom, URL_OPTION } from '../remote-place.ts'
import { noteSilentNodes } from '../nodes/silent-note.ts'
import { formatMoment } from '../table.ts'
import { withStores } from '../with-stores.ts'

const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const explainCommand: CommandBody = {
  usage: 'weir explain REQUEST_ID [options]',
  arguments: ['REQUEST_ID'],
  options: URL_OPTION,
  run: explain,
}

async function explain(input: CommandInput): Promise<number> {
  const id = (input.arguments[0] as string).trim().toLowerCase()
  if (!REQUEST_ID.test(id)) {
    throw invalidArgument(
      'REQUEST_ID is not the id of a request.',
      'It is in the response header X-SVC-Request-Id: 0197….',
    )
  }
  const detail = await readFrom<RequestDetail>(input, {
    scope: 'read:requests',
    here: () => explainHere(input, id),
    there: (client) => client.request(id),
  })
  if (input.isJson) printJson(input, detail)
  else input.out(formatExplained(detail))
  return 0
}

async function explainHere(input: CommandInput, id: string): Promise<RequestDetail> {
  const { explained, keptDays } = await withStores(input, async (stores) => {
    await noteSilentNodes(input)
    const { config, settings, usage, ledgerBook } = stores
    const book = createConfiguredBook(await settings.prices.read(), config)
    const sources = { usage, ledgerBook, book, dataDir: config.dataDir }
    return { explained: await explainRequest(sources, id), keptDays: config.retention.events }
  })
  switch (explained.kind) {
    case 'recorded':
      return explained.detail
    case 'pending':
      throw notYet(id, explained.hasEnded)
    case 'unknown':
      throw unknown(id, keptDays)
  }
}

function notYet(id: string, hasEnded: boolean): WeirError {
  return hasEnded
    ? new WeirError('not_found', `The call ${id} has ended and is waiting in the journal.`, {
        hint: 'The running Weir stores it; try again in a moment. weir doctor shows how much is waiting.',
      })
    : new WeirError('not_found', `The call ${id} was forwarded, and its end is not known yet.`, {
        hint: 'Try again when it has ended. If its process died, it is recorded at the next start.',
      })
}

/** A UUIDv7 begins with its time (RFC 9562, section 5.7). */
function unknown(id: string, keptDays: number): WeirError {
  const startedAt = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  const began = id[14] === '7' ? ` By its id, it started at ${formatMoment(startedAt)}.` : ''
  return new WeirError(
    'not_found',
    `There is no call ${id}, neither on record nor in the journal.${began}`,
    {
      hint: `Calls are kept for ${keptDays} days (retention.events). Is this the right data directory?`,
    },
  )
}
