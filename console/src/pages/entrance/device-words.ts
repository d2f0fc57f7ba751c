// What a device asks for, in words. All that it says of itself may be made up.

import type { Device } from '../../../../src/api/contract.ts'

export interface AskedWords {
  readonly what: string
  readonly where: string
  /** Null where there is nothing odd. */
  readonly warning: string | null
}

type Asked = Pick<
  Device,
  'agent' | 'address' | 'own_address' | 'asked_at' | 'email' | 'provider' | 'fault'
>

export function toAskedWords(asked: Asked): AskedWords {
  const { agent, address, own_address: own, asked_at: at, email, provider } = asked
  const time = `${at.slice(11, 16)} UTC`
  const program = agent === null || agent === '' ? 'A program' : `“${agent}”`
  return {
    what: `${program} wants to call ${provider} as ${email}. Its calls are counted as yours, within your limits.`,
    where: `It asked at ${time} from ${address}.`,
    warning:
      address === own
        ? null
        : `You are at ${own}, and it asked from elsewhere. Approve it only if you began this on another machine yourself.`,
  }
}
