// What the body of one call says for its record, once it has ended.

import type { UsageEvent } from '../../core/usage-event.ts'
import type { Call } from '../admission.ts'
import type { BodyDims } from '../body-dims.ts'
import type { ProxyServices } from '../services.ts'

export class BodyRecord {
  /** Null where nothing is looked for. */
  readonly reader: BodyDims | null
  readonly #call: Call
  readonly #services: ProxyServices

  constructor(call: Call, services: ProxyServices) {
    this.reader = services.openBodyDims(call.agentHead !== null)
    this.#call = call
    this.#services = services
  }

  /** Header and key say more than a body, which fills in what they leave open. Called once. */
  complete(event: UsageEvent): UsageEvent {
    if (this.reader === null) return event
    const { dims, dropped, texts } = this.reader.end()
    const { meter, agents } = this.#services
    if (dropped > 0) meter.add('dimsDropped', dropped)
    const { agentHead } = this.#call
    const isRead = agentHead !== null && event.keyId !== null
    const said = isRead ? agents?.readBody(agentHead, event.keyId, texts) : null
    if (!said) return { ...event, dims: { ...dims, ...event.dims } }
    return { ...event, dims: { ...said.facts, ...dims, ...event.dims }, agent: said.agent }
  }
}
