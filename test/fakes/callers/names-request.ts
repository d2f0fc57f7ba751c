// Asks a names reader about one request, in pieces, as a connection brings it.

import { namesIn } from '../../../src/providers/requested-models/model-names.ts'
import type { NamesOptions } from '../../../src/providers/requested-models/model-names.ts'
import type { NamesFound, RequestView } from '../../../src/providers/provider.ts'

export interface Asked {
  readonly query?: string
  /** Names in lower case, one line each. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly type?: string | null
  readonly options?: NamesOptions
  readonly cut?: number
}

/** A request by what is odd about it, its body, and what is expected of it. */
export type NamesCase<Expected> = readonly [
  name: string,
  body: string | Buffer,
  expected: Expected,
  asked?: Asked,
]

export const FORM_TYPE = 'multipart/form-data; boundary=b'
export const FORM: Asked = { type: FORM_TYPE, options: { body: 'form' } }
/** A call that has its model in the path. */
export const PATH: Asked = { options: { fromHead: () => ['m-path'] } }

export function findNames(body: string | Buffer, asked: Asked = {}): NamesFound {
  const { type = 'application/json', headers = [], query = '', cut = 7 } = asked
  const lines = type === null ? headers : [...headers, ['content-type', type] as const]
  const values = (name: string): string[] =>
    lines.filter(([each]) => each === name).map(([, value]) => value)
  const request: RequestView = {
    method: 'POST',
    path: '/v1/run/m-path',
    query,
    header: (name) => values(name)[0] ?? null,
    headers: values,
  }
  const reader = namesIn(asked.options)(request)
  const bytes = Buffer.from(body as string)
  // One memory for all pieces: a reader must copy what it keeps.
  const memory = Buffer.alloc(cut)
  for (let at = 0; at < bytes.length; at += cut) {
    const length = bytes.copy(memory, 0, at, at + cut)
    reader.feed(memory.subarray(0, length))
    memory.fill('#')
  }
  return reader.end()
}

export function json(value: unknown): string {
  return JSON.stringify(value)
}

/** Fields, or parts with a whole head of their own. */
export function form(...parts: readonly (readonly [head: string, content: string])[]): string {
  const texts = parts.map(([head, content]) => {
    const lines = head.includes(':') ? head : `Content-Disposition: form-data; name="${head}"`
    return `--b\r\n${lines}\r\n\r\n${content}\r\n`
  })
  return `${texts.join('')}--b--\r\n`
}
