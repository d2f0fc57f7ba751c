// The key of an open socket: what is done with it may end the socket, as it would refuse a call.

import type { ApiKey } from '../../core/api-key.ts'
import { oldSecretOf } from '../../core/api-key.ts'
import { refuse } from '../../policy/refusal.ts'
import type { Refusal } from '../../policy/refusal.ts'
import type { Call } from '../admission.ts'
import { authorizeProvider, refuseFault } from '../authorize.ts'
import type { ProxyServices } from '../services.ts'

export class SocketKey {
  readonly #services: Pick<ProxyServices, 'findKey' | 'clock'>
  readonly #keyId: string
  readonly #provider: string
  readonly #opened: ApiKey | undefined
  #current: ApiKey | undefined

  constructor({ opening }: Call, services: ProxyServices) {
    this.#services = services
    this.#keyId = opening.keyId as string
    this.#provider = opening.provider
    this.#opened = services.findKey(this.#keyId)
    this.#current = this.#opened
  }

  get current(): ApiKey | undefined {
    return this.#current
  }

  /** Null while a call of this key would be let in here. */
  findRefusal(): Refusal | null {
    const key = this.#services.findKey(this.#keyId)
    const nowMs = this.#services.clock.now()
    // Most keys are as they were.
    if (key !== undefined && key === this.#current && (key.expiresAt ?? Infinity) > nowMs) {
      return null
    }
    this.#current = key
    if (key === undefined || !this.#isProven(key, nowMs)) {
      return refuse('invalid_api_key', `The key ${this.#keyId} has another secret, or is gone.`)
    }
    return (
      refuseFault(key, nowMs) ??
      authorizeProvider(key, this.#provider) ??
      (this.#hasSameModels(key) ? null : refuseModels(key))
    )
  }

  /** The secret that opened the socket still works. */
  #isProven(key: ApiKey, nowMs: number): boolean {
    const hash = this.#opened?.secretHash
    return key.secretHash === hash || oldSecretOf(key, nowMs)?.hash === hash
  }

  /** What was said before was judged by the old ones. */
  #hasSameModels({ allowedModels }: ApiKey): boolean {
    const before = this.#opened?.allowedModels ?? []
    return (
      allowedModels.length === before.length &&
      allowedModels.every((pattern, at) => pattern === before[at])
    )
  }
}

function refuseModels({ id }: ApiKey): Refusal {
  const message = `The models that the key ${id} may use have changed. Connect again.`
  return refuse('model_not_allowed', message)
}
