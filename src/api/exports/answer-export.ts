// GET /v1/exports/usage.csv and focus.csv. Must stay true: a file that could not be finished is never ended as if it were
// whole, and nothing more is read once the caller has left.

import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { describeError } from '../answer-error.ts'
import type { ApiOptions } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import { EXPORT_REQUESTS_HEADER, exportParametersSchema } from '../contract.ts'
import type { ExportFormat } from '../contract.ts'
import { createExport } from './create-export.ts'
import { invalidParameter, parseParameters } from '../parse-parameters.ts'
import { toMonth } from '../usage/windows.ts'

export async function answerExport(
  context: Context,
  options: ApiOptions,
  format: ExportFormat,
): Promise<Response> {
  await authorize(context, options, 'read:requests')
  const { month } = parseParameters(new URL(context.req.url).searchParams, exportParametersSchema)
  const current = toMonth(options.clock.now())
  if (month > current) {
    throw invalidParameter(`Parameter month must not be after the current month, ${current} (UTC).`)
  }
  const { fileName, requests, chunks } = await createExport(options.usage, { format, month })
  const breakOff = (error: unknown): void => {
    const fields = { format, month, error: describeError(error) }
    options.log.error(fields, 'An export was broken off')
    const { outgoing } = context.env as HttpBindings
    outgoing.destroy()
  }
  return context.body(toByteStream(chunks, breakOff), 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    [EXPORT_REQUESTS_HEADER]: String(requests),
  })
}

/** Nothing is made ahead of the reader; one that left asks for nothing more. */
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
        } catch (error) {
          // A stream that fails would have its error's text sent behind the rows. The connection is cut instead.
          breakOff(error)
          if (!hasLeft) controller.close()
        }
      },
      cancel: () => {
        hasLeft = true
        // Not awaited: it ends behind the piece that is being made, which the reader has no use for.
        void chunks.return(undefined).catch(() => undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
