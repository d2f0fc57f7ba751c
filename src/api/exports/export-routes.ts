// The CSV exports. Must stay true: an unfinished file never looks complete, reading stops when the
// caller leaves, and no more than EXPORT_LIMITS allows are read at a time.

import { once } from 'node:events'
import type { HttpBindings } from '@hono/node-server'
import type { Caller } from '../../core/caller.ts'
import { withScope } from '../access.ts'
import { describeError, errorResponse } from '../answer-error.ts'
import {
  EXPORT_REQUESTS_HEADER,
  exportParametersSchema,
  focusParametersSchema,
  toExportPath,
} from '../contract.ts'
import { routesOf } from '../define-route.ts'
import type { ApiRoute, Call } from '../define-route.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { readKeyNames } from '../keys/read-key-names.ts'
import { toSignal } from '../questions/asked-by.ts'
import type { Asker } from '../questions/question-queue.ts'
import { error, header, text } from '../route-answers.ts'
import { toMonth } from '../usage/windows.ts'
import { createExport } from './create-export.ts'
import type { ExportChoice, UsageExport } from './create-export.ts'
import { EXPORT_LIMITS } from './export-slots.ts'

const FILE = {
  ...text('Comma-separated values (RFC 4180), the names of the columns first.', 'text/csv'),
  headers: {
    'Content-Disposition': header('`attachment`, with a name for the file.'),
    [EXPORT_REQUESTS_HEADER]: header(
      'How many calls the sums of the month count. A file with fewer rows lacks calls that were removed (retention.events).',
      'integer',
    ),
  },
}

const { atOnceMax, stallMs, retryAfterSeconds } = EXPORT_LIMITS
const BUSY = `${atOnceMax} exports are running already. Ask again in ${retryAfterSeconds} s.`

const defineRoute = routesOf('Exports')

const SHARED = {
  access: withScope('read:requests'),
  answers: {
    200: FILE,
    404: error('`not_found`: none of the calls of the month is kept any more; its sums are.'),
    429: {
      ...error(`\`rate_limited\`: ${atOnceMax} exports are running already, of all callers.`, {
        error: BUSY,
        code: 'rate_limited',
      }),
      headers: { 'Retry-After': header('Seconds to wait before asking again.', 'integer') },
    },
  },
}
const DESCRIPTION =
  'The rows come as they are read: a file whose transfer was cut off is not whole. docs/exports.md describes every column. The names of keys are in it for a token with scope read:keys.'

export const EXPORT_ROUTES: readonly ApiRoute[] = [
  defineRoute(`GET ${toExportPath('usage')}`, {
    ...SHARED,
    name: 'exportUsage',
    summary: 'Every call of a month as CSV',
    description: DESCRIPTION,
    query: exportParametersSchema,
    handle: (call) => answerExport(call, { format: 'usage', ...call.query }),
  }),
  defineRoute(`GET ${toExportPath('focus')}`, {
    ...SHARED,
    name: 'exportFocus',
    summary: 'Every charge of a month as CSV after FOCUS 1.2, one by one or as daily sums',
    description: DESCRIPTION,
    query: focusParametersSchema,
    handle: (call) => answerExport(call, { format: 'focus', ...call.query }),
  }),
]

async function answerExport(
  {
    context,
    services,
    caller,
  }: Pick<Call<Caller, unknown, unknown>, 'context' | 'services' | 'caller'>,
  choice: ExportChoice,
): Promise<Response> {
  const current = toMonth(services.clock.now())
  if (choice.month > current) {
    throw invalidParameter(`Parameter month must not be after the current month, ${current} (UTC).`)
  }
  const release = services.exportSlots.take()
  if (release === null) {
    return errorResponse('rate_limited', BUSY, { 'Retry-After': String(retryAfterSeconds) })
  }
  const { outgoing } = context.env as HttpBindings
  const signal = toSignal(outgoing)
  const { usage } = services.askAs(toExportAsker(caller))
  const keyNames = await readKeyNames(services.keyDirectory, caller)
  const making = createExport(usage, choice, { keyNames, signal })
  void releaseAfter(signal, making, release)
  const breakOff = (cause: unknown): void => {
    const fields = { ...choice, error: describeError(cause) }
    services.log.error(fields, 'An export was broken off')
    outgoing.destroy()
  }
  watchReader(outgoing, services.exportStallMs ?? stallMs, () => {
    services.log.warn(choice, 'An export was broken off: nothing of it was read')
    outgoing.destroy()
  })
  const { fileName, requests, chunks } = await making
  return context.body(toByteStream(chunks, breakOff), 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    [EXPORT_REQUESTS_HEADER]: String(requests),
  })
}

/** Where nothing waits to be taken, the store is slow: rare matches or daily sums take a while. */
export function watchReader(
  outgoing: HttpBindings['outgoing'],
  timeoutMs: number,
  onStall: () => void,
): void {
  outgoing.setTimeout(timeoutMs, () => {
    if (outgoing.writableLength > 0) onStall()
    else outgoing.setTimeout(timeoutMs)
  })
}

/** Apart from the caller's other questions. It has a slot, and waits for each of its pages. */
export function toExportAsker({ id }: Caller): Asker {
  return { id: `export ${id}`, isAdmitted: true }
}

/** Not at the stream's end: the answer to HEAD, or to a caller who left early, is never read. */
export async function releaseAfter(
  signal: AbortSignal,
  making: Promise<Pick<UsageExport, 'chunks'>>,
  release: () => void,
): Promise<void> {
  try {
    const { chunks } = await making
    if (!signal.aborted) await once(signal, 'abort')
    await chunks.return(undefined)
  } catch {
    // Who asked for the export is answered with the error.
  } finally {
    release()
  }
}

/** Makes nothing ahead of the reader. */
export function toByteStream(
  chunks: AsyncGenerator<string>,
  breakOff: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let hasLeft = false
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await chunks.next()
          if (hasLeft) return
          if (done === true) controller.close()
          else controller.enqueue(encoder.encode(value))
        } catch (cause) {
          // The stream's error text would be sent after the rows: cut the connection instead.
          breakOff(cause)
          if (!hasLeft) controller.close()
        }
      },
      cancel: () => {
        hasLeft = true
        // Not awaited: it ends after a piece that no one needs.
        void chunks.return(undefined).catch(() => undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
