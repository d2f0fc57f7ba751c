// weir explain

import type { RequestDetail } from '../../../client/weir-client.js'
import { loadConfig } from '../../config/config.ts'
import { WeirError } from '../../core/weir-error.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import { invalidArgument } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { formatMoment } from '../table.ts'
import { formatExplained } from './explain-view.ts'

const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const commands: Commands = {
  explain: apiCommand({ scope: 'read:requests', arguments: ['REQUEST_ID'], run: explain }),
}

async function explain(input: CommandInput, api: Api): Promise<Shown> {
  const id = (input.arguments[0] as string).trim().toLowerCase()
  if (!REQUEST_ID.test(id)) {
    throw invalidArgument(
      'REQUEST_ID is not the id of a request.',
      'It is in the response header X-SVC-Request-Id: 0197….',
    )
  }
  const detail = await read(input, api, id)
  return { json: detail, text: formatExplained(detail) }
}

async function read(input: CommandInput, api: Api, id: string): Promise<RequestDetail> {
  const ask = (): Promise<RequestDetail> => api.get(`/v1/requests/${id}`)
  const isMissing = (error: unknown): error is WeirError =>
    api.url === null && error instanceof WeirError && error.code === 'not_found'
  return ask().catch(async (error: unknown) => {
    if (!isMissing(error)) throw error
    const config = loadConfig({ file: input.configFile })
    const { findPending } = await import('../journal/find-pending.ts')
    const pending = await findPending(config, id)
    if (pending !== null) throw notYet(id, pending === 'ended')
    // The ledger may have stored it between the two reads; then it is in no journal.
    return ask().catch((again: unknown) => {
      throw isMissing(again) ? unknown(id, config.retention.events) : again
    })
  })
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
