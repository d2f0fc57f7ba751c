// The routes in this process.

import { toSearch } from '../../client/connection.js'
import { SILENT_NODES_HEADER } from '../api/service/silent-nodes.ts'
import { openLocalApi } from '../app/local/local-api.ts'
import type { LocalApiOptions } from '../app/local/local-api.ts'
import { WeirError } from '../core/weir-error.ts'
import type { WeirErrorCode } from '../core/weir-error.ts'
import type { RouteNotes, Routes } from './routes.ts'
import { toWholeLines } from './whole-lines.ts'

/** Routes know their paths alone. */
const BASE = 'http://localhost'

export async function openLocalRoutes({
  onSilentNodes,
  ...options
}: LocalApiOptions & RouteNotes): Promise<Routes> {
  const api = await openLocalApi(options)
  const fetch = async (method: string, address: string, body?: object): Promise<Response> => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await api.fetch(new Request(BASE + address, { method, ...given }))
    if (!response.ok) {
      const { error, code } = (await response.json()) as { error: string; code: WeirErrorCode }
      throw new WeirError(code, error)
    }
    const silent = response.headers.get(SILENT_NODES_HEADER)
    if (silent !== null) onSilentNodes(silent)
    return response
  }
  return {
    async ask(route, { query = {}, body }) {
      const [method = '', path = ''] = route.split(' ')
      return (await fetch(method, path + toSearch(query), body)).json()
    },
    async readFile(path, query) {
      const { headers, body } = await fetch('GET', path + toSearch(query))
      return { headers, lines: toWholeLines(body ?? []) }
    },
    close: () => api.close(),
  }
}
