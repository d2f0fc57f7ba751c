// Asks the API, in JSON, as the user who has signed in. Every query and every change goes through
// `ask`; the files beside this one wrap it into query options. It answers or throws an ApiError,
// whose message can be shown as it is.
//
// A page reads with `useQuery(somethingQuery(…))`, changes with `useMutation(…)`, then calls
// `queryClient.invalidateQueries`. query-client.ts deals with the end of a session, not the pages.

import type { ErrorBody } from '../../../src/api/contract.ts'
import { ApiError, createNoAnswer, toApiError } from './api-error.ts'

export interface Question {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** Only where it is still at this version, as the editor saw it. */
  readonly version?: number
  /** Only where it replaces nothing. */
  readonly isNew?: boolean
}

/** An answer with how long it is fresh, by its Cache-Control. */
export type Aged<T> = T & { readonly maxAgeMs: number }

const MAX_AGE_DEFAULT_MS = 60_000
/** Of an answer that is about to end. */
const MAX_AGE_MIN_MS = 1000

export async function ask<T>(path: string, question: Question = {}): Promise<T> {
  return (await read<T>(path, question)).value
}

export async function askAged<T>(path: string, question: Question = {}): Promise<Aged<T>> {
  const { value, headers } = await read<T>(path, question)
  const maxAgeMs = toMaxAgeMs(headers.get('Cache-Control')) ?? MAX_AGE_DEFAULT_MS
  return { ...value, maxAgeMs: Math.max(maxAgeMs, MAX_AGE_MIN_MS) }
}

async function read<T>(
  path: string,
  question: Question,
): Promise<{ readonly value: T; readonly headers: Headers }> {
  const response = await send(path, question)
  const { ok, status, headers } = response
  const value = status === 204 ? undefined : await readJson(response)
  if (!ok) {
    const body = isErrorBody(value) ? value : null
    throw toApiError({ status, body, retryAfter: headers.get('Retry-After') })
  }
  return { value: value as T, headers }
}

async function send(path: string, question: Question): Promise<Response> {
  const { method, body, signal, version, isNew = false } = question
  const headers: Record<string, string> = { Accept: 'application/json' }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (version !== undefined) headers['If-Match'] = `"${version}"`
  if (isNew) headers['If-None-Match'] = '*'
  try {
    return await fetch(path, {
      method: method ?? 'GET',
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    // The page that cancelled it needs no message.
    if (signal?.aborted === true) throw error
    throw createNoAnswer(error)
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    if (!response.ok) return null
    const message = 'Weir sent an answer that this page cannot read. Reload the page.'
    throw new ApiError({ status: response.status, code: 'unreadable', message }, error)
  }
}

function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === 'object' && value !== null && 'error' in value && 'code' in value
}

export function toMaxAgeMs(cacheControl: string | null): number | null {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/.exec(cacheControl ?? '')?.[1]
  return seconds === undefined ? null : Number(seconds) * 1000
}

type ParameterValue = string | number | boolean | null | undefined
export type PathParameters = Readonly<Record<string, ParameterValue | readonly string[]>>

/** `/v1/keys/k_1`, `/v1/keys/k_1/rotate` */
export function toOne(list: string, id: string, verb?: string): string {
  const one = `${list}/${encodeURIComponent(id)}`
  return verb === undefined ? one : `${one}/${verb}`
}

/** A path with its parameters, a list as one for each; what is undefined or empty is left out. */
export function toPath(path: string, parameters: PathParameters): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of isList(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== '') search.append(name, String(each))
    }
  }
  const text = search.toString()
  return text === '' ? path : `${path}?${text}`
}

function isList(value: ParameterValue | readonly string[]): value is readonly string[] {
  return Array.isArray(value)
}
