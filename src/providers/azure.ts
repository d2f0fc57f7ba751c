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

/** None of these is part of a name, and some servers would see the segment's end there. */
const UNCERTAIN = /[%/?#\\;]/

/** Empty below other bases; null where it cannot be read. Azure decodes a path once. */
function readDeployment({ path }: RequestView): readonly string[] | null {
  const segment = DEPLOYMENT.exec(path)?.[1]
  if (segment === undefined) return []
  const name = decodeSegment(segment)
  return name === null || UNCERTAIN.test(name) ? null : [name]
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
