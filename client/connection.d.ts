// The types of connection.js, which is not part of weir/client's interface.

import type { WeirApiError, WeirClientOptions } from './weir-client.js'

export type { WeirApiError }

export interface Connection {
  readonly base: string
}

export interface Question<Answer> {
  readonly method?: string | undefined
  readonly path: string
  readonly query?: object | undefined
  readonly body?: object | undefined
  readonly signal?: AbortSignal | undefined
  readonly take?: (response: Response, connection: Connection) => Promise<Answer>
}

export function toConnection(options: WeirClientOptions): Connection
export function ask<Answer>(connection: Connection, question: Question<Answer>): Promise<Answer>
export function readJson(response: Response, connection: Connection): Promise<unknown>
export function toReader(
  path: string,
): (response: Response, connection: Connection) => Promise<ReadableStream<Uint8Array>>
export function toSearch(query: object): string
