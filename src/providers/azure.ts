// Azure OpenAI. A path may name a deployment, a customer's label; only the answer names the model.

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

/** Empty below other bases; null where its escapes are broken. Azure decodes a path once. */
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
