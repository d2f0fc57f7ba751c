// Answers with a file that is made while it is sent. Must stay true: an unfinished file never looks
// complete, reading stops when the caller leaves, and no more than EXPORT_LIMITS allows are read at
// a time.

import { once } from 'node:events'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Caller } from '../../core/caller.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import { describeError, errorResponse } from '../answer-error.ts'
import type { Call } from '../define-route.ts'
import { readExportedNames } from './export-context.ts'
import type { ExportedNames } from './export-context.ts'
import { toSignal } from '../questions/asked-by.ts'
import type { Asker } from '../questions/question-queue.ts'
import { error, header, text } from '../route-answers.ts'
import type { Answers } from '../route-answers.ts'
import { EXPORT_LIMITS } from './export-slots.ts'

const { atOnceMax, stallMs, retryAfterSeconds } = EXPORT_LIMITS
const BUSY = `${atOnceMax} exports are running already. Ask again in ${retryAfterSeconds} s.`

export const FILE_HEADER = {
  'Content-Disposition': header('`attachment`, with a name for the file.'),
}

/** As the document describes it. */
export const CSV_FILE = {
  ...text('Comma-separated values (RFC 4180), the names of the columns first.', 'text/csv'),
  headers: FILE_HEADER,
}

export const ALL_SLOTS_TAKEN: Answers = {
  429: {
    ...error(`\`rate_limited\`: ${atOnceMax} exports are running already, of all callers.`, {
      error: BUSY,
      code: 'rate_limited',
    }),
    headers: { 'Retry-After': header('Seconds to wait before asking again.', 'integer') },
  },
}

export interface ExportedFile {
  readonly fileName: string
  /** Whole lines. */
  readonly chunks: AsyncGenerator<string>
  readonly headers?: Readonly<Record<string, string>>
}

export interface FileOptions {
  readonly mediaType: string
  /** What it is, for the log. */
  readonly about: object
  readonly make: (
    usage: UsageStore,
    options: ExportedNames & { readonly signal: AbortSignal },
  ) => ExportedFile | Promise<ExportedFile>
}

export async function answerFile(
  call: Pick<Call<Caller, unknown, unknown>, 'context' | 'services' | 'caller'>,
  { mediaType, about, make }: FileOptions,
): Promise<Response> {
  const { context, services, caller } = call
  const release = services.exportSlots.take()
  if (release === null) {
    return errorResponse('rate_limited', BUSY, { 'Retry-After': String(retryAfterSeconds) })
  }
  const { outgoing } = context.env as HttpBindings
  const signal = toSignal(outgoing)
  const { usage } = services.askAs(toExportAsker(caller))
  const making = (async () => {
    const known = await readExportedNames(services, caller)
    return make(usage, { ...known, signal })
  })()
  void releaseAfter(signal, making, release)
  const breakOff = (cause: unknown): void => {
    services.log.error({ ...about, error: describeError(cause) }, 'An export was broken off')
    outgoing.destroy()
  }
  watchReader(outgoing, services.exportStallMs ?? stallMs, () => {
    services.log.warn(about, 'An export was broken off: nothing of it was read')
    outgoing.destroy()
  })
  const { headers, ...file } = await making
  return sendFile(context, { ...file, mediaType, breakOff }, headers)
}

export interface SentFile extends Pick<ExportedFile, 'fileName' | 'chunks'> {
  readonly mediaType: string
  /** Left out: the connection is cut. */
  readonly breakOff?: (error: unknown) => void
}

export function sendFile(
  context: Context,
  { fileName, chunks, mediaType, breakOff }: SentFile,
  headers: ExportedFile['headers'] = {},
): Response {
  const cutOff = (): void => void (context.env as HttpBindings).outgoing.destroy()
  return context.body(toByteStream(chunks, breakOff ?? cutOff), 200, {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${fileName}"`,
    ...headers,
  })
}

/** Where nothing waits to be taken, the store is slow: rare matches or daily sums take a while. */
function watchReader(
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
function toExportAsker({ id }: Caller): Asker {
  return { id: `export ${id}`, isAdmitted: true }
}

/** Not at the stream's end: the answer to HEAD, or to a caller who left early, is never read. */
async function releaseAfter(
  signal: AbortSignal,
  making: Promise<Pick<ExportedFile, 'chunks'>>,
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
