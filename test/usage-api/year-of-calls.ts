// More than a year of traffic from a seed: the same seed gives the same calls, in the order in
// which they ended. All that makes sums go wrong is in it: calls at the edges of days, months and
// years, equal costs, names that look like others.

import { createTokenCounts } from '../../src/core/token-counts.ts'
import type { CallStatus } from '../../src/core/usage-event.ts'
import type { Cost, UsageRecord } from '../../src/core/usage-record.ts'
import { createRecord } from '../contracts/usage-scene.ts'
import { createRandom } from '../fuzz/generate-requests.ts'

export const FIRST_MS = Date.parse('2026-05-20T00:00:00.000Z')
export const LAST_MS = Date.parse('2028-07-14T10:20:30.400Z')

/** The last two are never charged: equal at zero. */
export const KEY_IDS = [
  'svc_k_aaaaaaaaaaaaaaaa',
  'svc_k_0123456789abcdef',
  'svc_k_zz',
  'svc_k_free2',
  'svc_k_free1',
] as const
/** No one used it. */
export const IDLE_KEY_ID = 'svc_k_idle'

/** Two providers serve a model of the same name; the last two charge nothing. */
const MODELS: Readonly<Record<string, readonly (string | null)[]>> = {
  openai: ['gpt-5', 'gpt-5-mini', null],
  azure: ['gpt-5', 'text embedding', 'Großmodell'],
  gateway: ['openai/gpt-5', 'meta/llama-4', '__proto__', null],
  anthropic: ['claude-opus-5', 'total'],
  'local-b': ['llama', 'free-2'],
  'local-a': ['llama', 'free-1'],
}

const TEAMS = [
  'search',
  'a b',
  'Zürich',
  '東京',
  'x=y, "z"',
  '😀',
  '～',
  '__proto__',
  'total',
  'Search',
]
const APPS = ['web', 'batch', 'unknown']
/** Equal costs; the fourth is above the fifth in code points and below it in UTF-16. */
const TIES = ['b', 'a', 'é', '😀', '～', 'A']
export const TIE_COST = 7_000_000_000_123n

const SPARSE_UNTIL_MS = Date.parse('2027-04-01T00:00:00.000Z')
const CALLS = 30_000
const DAY_MS = 86_400_000

/** An integer from 0 on. */
type Random = (below: number) => number

export function createYearOfCalls(seed: number): readonly UsageRecord[] {
  const fraction = createRandom(seed)
  const random: Random = (below) => Math.floor(fraction() * below)
  const ends = [...edgesOfDays(), ...Array.from({ length: CALLS }, () => anyEnd(random))]
  const records = ends.map((endedAt) => createCall(endedAt, random))
  return [...records, ...tiedCalls()].toSorted((a, b) => a.event.endedAt - b.event.endedAt)
}

/** One in twelve lies in the first, thinner part. */
function anyEnd(random: Random): number {
  const isSparse = random(12) === 0
  const [from, to] = isSparse ? [FIRST_MS, SPARSE_UNTIL_MS] : [SPARSE_UNTIL_MS, LAST_MS]
  return from + Math.floor((random(1_000_000) / 1_000_000) * (to - from))
}

/** The first and the last millisecond of every day. */
function edgesOfDays(): number[] {
  const edges: number[] = []
  for (let day = FIRST_MS; day < LAST_MS; day += DAY_MS) edges.push(day, day + DAY_MS - 1)
  return edges.filter((edge) => edge <= LAST_MS)
}

function createCall(endedAt: number, random: Random): UsageRecord {
  const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value
  const provider = pick(Object.keys(MODELS))
  const keyId = pick(KEY_IDS)
  const isFree = provider.startsWith('local-') || keyId.startsWith('svc_k_free')
  const status = random(8) === 0 ? pick(OTHER_STATUSES) : 'delivered'
  const input = random(200_000)
  const output = random(9000)
  const parts = { cacheRead: Math.floor(input / 2), reasoning: Math.floor(output / 3) }
  const isKnown = status !== 'interrupted' && status !== 'denied'
  return createRecord(
    {
      endedAt,
      provider,
      keyId: status === 'denied' && random(2) === 0 ? null : keyId,
      status,
      model: pick(MODELS[provider] ?? []),
      dims: {
        ...(random(3) > 0 ? { team: pick(TEAMS) } : {}),
        ...(random(3) === 0 ? { app: pick(APPS) } : {}),
      },
      usage: isKnown ? 'reported' : 'none',
      tokens: isKnown ? createTokenCounts({ input, output, ...parts }) : null,
    },
    isFree ? BYOK : createCost(status, random),
  )
}

const OTHER_STATUSES: readonly CallStatus[] = ['refused', 'aborted', 'cut', 'interrupted', 'denied']
const BYOK: Cost = { amount: 0n, source: 'byok-zero', priceVersion: null }
const UNPRICED: Cost = { amount: null, source: 'unpriced', priceVersion: null }

function createCost(status: CallStatus, random: Random): Cost {
  if (status === 'refused') return { amount: 0n, source: 'free', priceVersion: null }
  const kind = random(20)
  if (status === 'interrupted' || kind === 0) return UNPRICED
  if (kind === 1) return BYOK
  // Denied calls carry a cost here that a real one never has: it would show in any sum it got into.
  const isLarge = random(500) === 0
  const amount = BigInt(random(1_000_000_000)) * 1000n + BigInt(random(1000))
  const source = kind < 6 ? 'gateway' : 'price-book'
  return { amount: isLarge ? amount * 40_000n : amount, source, priceVersion: null }
}

/** One call a month for each value, its cost always the same. */
function tiedCalls(): UsageRecord[] {
  const months = new Set(edgesOfDays().map((edge) => new Date(edge).toISOString().slice(0, 7)))
  return [...months].flatMap((month) =>
    TIES.map((flag) =>
      createRecord(
        {
          endedAt: Date.parse(`${month}-01T00:00:00.000Z`),
          provider: 'openai',
          model: 'gpt-5',
          keyId: KEY_IDS[0],
          dims: { flag },
        },
        { amount: TIE_COST },
      ),
    ),
  )
}
