// Weir's reading of responses compared with Node's client: what both accept, both must frame alike,
// and Weir accepts nothing that Node refuses.

import { createRandom } from './generate-requests.ts'
import { generateResponse } from './generate-responses.ts'
import { readResponseWithNode, readResponseWithWeir } from './read-responses.ts'
import type { ReadResponse } from './read-responses.ts'
import type { Comparison, ComparisonOptions } from './compare-framing.ts'

const DISAGREEMENTS_MAX = 20
const PROGRESS_EVERY = 50_000

export async function compareResponses(options: ComparisonOptions): Promise<Comparison> {
  const random = createRandom(options.seed)
  const disagreements: string[] = []
  let compared = 0
  let refusedByWeir = 0
  for (let done = 1; done <= options.count; done++) {
    const response = generateResponse(random)
    const weir = readResponseWithWeir(response)
    if (weir.refusal !== null) refusedByWeir++
    else {
      const reason = compare(weir, await readResponseWithNode(response))
      if (weir.head !== null) compared++
      if (reason !== null && disagreements.length < DISAGREEMENTS_MAX) {
        disagreements.push(`${reason} in ${JSON.stringify(response)}`)
      }
    }
    if (done % PROGRESS_EVERY === 0) options.progress?.(done)
  }
  return { sequences: options.count, compared, refusedByWeir, disagreements }
}

// Node takes an informational response of HTTP/1.0, or one that says "close", for the last of its
// connection. RFC 9110 §15.2 has a final one follow all the same: not a matter of framing.
const CLOSED_BY_NODE = 'HPE_CLOSED_CONNECTION'

function compare(weir: ReadResponse, node: ReadResponse): string | null {
  // What Node refuses behind a response that it has read to the end is no part of it.
  if (node.refusal !== null && !node.isWhole) {
    const isAlone = weir.isWhole && node.refusal !== CLOSED_BY_NODE
    return isAlone ? `a response is accepted by Weir alone (${node.refusal})` : null
  }
  const ours = show(weir)
  const theirs = show(node)
  return ours === theirs ? null : `a response is framed differently (${ours}, ${theirs})`
}

function show({ informational, head, body, isWhole }: ReadResponse): string {
  return JSON.stringify({ informational, head, body, isWhole })
}
