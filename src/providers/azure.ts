// Azure OpenAI: OpenAI's calls below three bases, of which one names the model in its path. That
// name is a deployment, a label of the customer's own; which model runs behind it, the answer says.

import { ADDRESSES } from './directory.ts'
import { openaiOperations } from './openai.ts'
import { defineProvider } from './provider.ts'
import type { RequestView } from './provider.ts'

const BASE = /\/openai(?:\/v1|\/deployments\/[^/]+)?/
const DEPLOYMENT = /^\/openai\/deployments\/([^/]+)\//

export const azure = defineProvider({
  id: 'azure',
  upstream: ADDRESSES.azure,
  hasOwnLabels: true,
  operations: openaiOperations(BASE, { fromHead: readDeployment }),
})

/**
 * None below the other bases; null where its escapes are broken. Azure decodes a path once, and so
 * do we.
 */
function readDeployment({ path }: RequestView): readonly string[] | null {
  const segment = DEPLOYMENT.exec(path)?.[1]
  if (segment === undefined) return []
  if (!segment.includes('%')) return [segment]
  try {
    return [decodeURIComponent(segment)]
  } catch {
    return null
  }
}
