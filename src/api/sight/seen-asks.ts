// Asks through a sight: one's own, and those of the teams that one leads, which one decides.

import type { Ask } from '../../core/asks/ask.ts'
import type { Sight } from '../../core/teams/sight.ts'
import type { AskStore } from '../../store/settings/ask-store.ts'
import { notTheirs } from './seen-keys.ts'

export function seeAsks(asks: AskStore, { teams, personId }: Sight): AskStore {
  const isOwn = (ask: Pick<Ask, 'personId'>): boolean =>
    personId !== null && ask.personId === personId
  const isLed = (ask: Pick<Ask, 'teamId'>): boolean => teams.includes(ask.teamId)
  async function find(id: string): Promise<Ask | null> {
    const ask = await asks.find(id)
    return ask !== null && (isOwn(ask) || isLed(ask)) ? ask : null
  }
  return {
    async create(ask, toAlert) {
      if (!isOwn(ask)) throw notTheirs()
      return asks.create(ask, toAlert)
    },
    list: async (only) => (await asks.list(only)).filter((ask) => isOwn(ask) || isLed(ask)),
    find,
    async decide(id, decision, toAlert) {
      const ask = await find(id)
      if (ask === null) return null
      if (decision.status === 'closed' ? !isOwn(ask) : !isLed(ask)) throw notTheirs()
      return asks.decide(id, decision, toAlert)
    },
  }
}
