// The calls that match the filters of the request log, as files. They share the slots of the other
// exports.

import type { HttpBindings } from '@hono/node-server'
import { hasScope } from '../../core/api-key.ts'
import { withScope } from '../access.ts'
import { describeError, errorResponse } from '../answer-error.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import { routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import type { KeyDirectory } from '../keys/key-directory.ts'
import { toSignal } from '../questions/asked-by.ts'
import { requestFilterSchema } from '../requests/request-filter-contract.ts'
import { toRequestFilter } from '../requests/to-request-query.ts'
import { error, header, text } from '../route-answers.ts'
import { toCallFilePath } from './call-file-contract.ts'
import type { CallFileKind } from './call-file-contract.ts'
import { createCallFile } from './create-call-file.ts'
import { releaseAfter, toByteStream, toExportAsker, watchReader } from './export-routes.ts'
import { EXPORT_LIMITS } from './export-slots.ts'

const { atOnceMax, stallMs, retryAfterSeconds } = EXPORT_LIMITS
const BUSY = `${atOnceMax} exports are running already. Ask again in ${retryAfterSeconds} s.`

const MEDIA_TYPES: Readonly<Record<CallFileKind, string>> = {
  csv: 'text/csv',
  jsonl: 'application/jsonl',
}

const defineRoute = routesOf('Exports')

function callFileRoute(kind: CallFileKind, name: string, about: string): ApiRoute {
  return defineRoute(`GET ${toCallFilePath(kind)}`, {
    name,
    summary: `The calls that match the filters of the request log, ${about}`,
    description:
      'Newest first, with the columns of usage.csv. The rows come as they are read: a file whose transfer was cut off is not whole. The names of keys are in it for a token with scope read:keys.',
    access: withScope('read:requests'),
    query: requestFilterSchema,
    answers: {
      200: {
        ...text('All calls that match, each once.', MEDIA_TYPES[kind]),
        headers: { 'Content-Disposition': header('`attachment`, with a name for the file.') },
      },
      429: {
        ...error(`\`rate_limited\`: ${atOnceMax} exports are running already, of all callers.`, {
          error: BUSY,
          code: 'rate_limited',
        }),
        headers: { 'Retry-After': header('Seconds to wait before asking again.', 'integer') },
      },
    },
    handle: async ({ context, services, caller, query }) => {
      const filter = toRequestFilter(query)
      const release = services.exportSlots.take()
      if (release === null) {
        return errorResponse('rate_limited', BUSY, { 'Retry-After': String(retryAfterSeconds) })
      }
      const { outgoing } = context.env as HttpBindings
      const signal = toSignal(outgoing)
      const { usage } = services.askAs(toExportAsker(caller))
      const making = startFile(usage, services.keyDirectory, {
        file: { kind, filter },
        canReadKeys: hasScope(caller, 'read:keys'),
        signal,
      })
      void releaseAfter(signal, making, release)
      watchReader(outgoing, services.exportStallMs ?? stallMs, () => {
        services.log.warn({ kind }, 'An export was broken off: nothing of it was read')
        outgoing.destroy()
      })
      const { chunks } = await making
      const breakOff = (cause: unknown): void => {
        services.log.error({ kind, error: describeError(cause) }, 'An export was broken off')
        outgoing.destroy()
      }
      return context.body(toByteStream(chunks, breakOff), 200, {
        'Content-Type': `${MEDIA_TYPES[kind]}; charset=utf-8`,
        'Content-Disposition': `attachment; filename="${toFileName(services.clock.now(), kind)}"`,
      })
    },
  })
}

export const CALL_FILE_ROUTES: readonly ApiRoute[] = [
  callFileRoute('csv', 'exportRequests', 'as CSV'),
  callFileRoute('jsonl', 'exportRequestLines', 'a line of JSON each'),
]

interface Starting {
  readonly file: Parameters<typeof createCallFile>[1]
  readonly canReadKeys: boolean
  readonly signal: AbortSignal
}

async function startFile(
  usage: UsageStore,
  keyDirectory: KeyDirectory,
  { file, canReadKeys, signal }: Starting,
): Promise<{ readonly chunks: AsyncGenerator<string> }> {
  const names = canReadKeys ? (await keyDirectory.read()).byName : []
  const keyNames = new Map(names.map(({ key }) => [key.id, key.name]))
  return { chunks: createCallFile(usage, file, { keyNames, signal }) }
}

/** `weir-requests-20260315T1200Z.csv`. */
function toFileName(nowMs: number, kind: CallFileKind): string {
  const moment = new Date(nowMs).toISOString().slice(0, 16).replaceAll(/[-:]/g, '')
  return `weir-requests-${moment}Z.${kind}`
}
