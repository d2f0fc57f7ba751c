// The location of a call to Vertex AI: the path's, else the host's.

import type { CallLocation } from '../../provider.ts'

const LOCATION = /\/projects\/[^/]+\/locations\/([^/]+)/
/** `us-east5-aiplatform…`, `aiplatform.eu.rep…`, and the global one without either. */
const HOST = /^(?:([a-z0-9-]+)-)?aiplatform\.(?:([a-z0-9-]+)\.rep\.)?googleapis\.com$/
/** Without project and location. */
const EXPRESS = /^\/v1(?:beta1)?\/publishers\//
const GLOBAL = 'global'

export function findVertexRegion({ host, path }: CallLocation): string | null {
  const named = LOCATION.exec(path)?.[1]
  if (named !== undefined) return named
  const hosted = HOST.exec(host)
  if (hosted !== null) return hosted[1] ?? hosted[2] ?? GLOBAL
  return EXPRESS.test(path) ? GLOBAL : null
}
