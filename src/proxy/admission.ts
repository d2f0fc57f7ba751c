// From a request's head to a call that may go on, or to the reason why not. One for each caller's
// connection: a repeated target is not parsed again.

import { isPaidByPlan } from '../policy/paid-by-plan.ts'
import { NOTHING_READ } from '../agents/read-agent.ts'
import type { AgentReader, AgentReading } from '../agents/read-agent.ts'
import type { ApiKey } from '../core/api-key.ts'
import { policyOf } from '../core/model-policy.ts'
import { USAGE_EVENT_VERSION } from '../core/usage-event.ts'
import type { CallOpening } from '../core/usage-event.ts'
import { DEFAULT_ERROR_SHAPE, placesAt } from '../providers/provider.ts'
import type { MatchedOperation, RequestView } from '../providers/provider.ts'
import { findBrought, findInTarget, NOTHING_BROUGHT } from '../wire/http/credential-locations.ts'
import type { Brought, CredentialLocation } from '../wire/http/credential-locations.ts'
import type { HeadChange } from '../wire/http/forwarded-headers.ts'
import type { RequestHead } from '../wire/http/http-head.ts'
import { findAgentPath } from './agents/agent-gateway.ts'
import { toAgentRefusal } from './agents/agent-refusal.ts'
import { Authorizer, authorizeProvider } from './authorize.ts'
import type { Dims } from './authorize.ts'
import { deny, denyUnrouted, OVERLOADED } from './denial.ts'
import type { Arrival, Denial } from './denial.ts'
import { findOperation } from '../policy/find-operation.ts'
import { judgeDerivedToken } from '../policy/derived-tokens.ts'
import { judgeHead } from '../policy/policy.ts'
import type { BlockedModels, BodyReading, CallPolicy } from '../policy/policy.ts'
import type { Refusal } from '../policy/refusal.ts'
import { useStoredCredential } from '../policy/stored-credentials.ts'
import { findRoute, isRefusal, parseTarget, toRequestLine } from './route.ts'
import type { Route, Target } from './route.ts'
import type { ProxyServices } from './services.ts'

export interface Call {
  readonly head: RequestHead
  readonly route: Route
  /** It came at an agent's URL, where answers are changed as that agent's protocol says. */
  readonly isOfAgent: boolean
  /** As the upstream gets it, with its line end. */
  readonly requestLine: string
  /** Null where its header lines go on as they came. */
  readonly change: HeadChange | null
  /** The stored one that it uses; null where it uses none. */
  readonly credential: string | null
  readonly operation: MatchedOperation | null
  readonly view: RequestView
  readonly opening: CallOpening
  /** Of its coding agent, where the body is to say more; null where nothing is missing. */
  readonly agentHead: AgentReading | null
  readonly headAt: number
  /** A subscription pays for it, unless the answer says otherwise. */
  readonly isPlan: boolean
  /** Its key, where the limiter has to let it in. */
  readonly limitedKey: ApiKey | null
  /** Null where every model may be used. */
  readonly policy: CallPolicy | null
  /** For a body whose models are not judged yet; null where there is nothing to wait for. */
  readonly body: BodyReading | null
}

interface Routed {
  readonly method: string
  readonly minor: number
  readonly fullTarget: string
  readonly target: Target
  readonly route: Route
  readonly requestLine: string
  readonly isOfAgent: boolean
  /** Where the provider takes its credential on this path, and what the target has of them. */
  readonly places: readonly CredentialLocation[]
  readonly inTarget: Brought
}

const NONE: readonly never[] = []

export class Admission {
  readonly #services: ProxyServices
  readonly #isSpare: boolean
  readonly #authorizer: Authorizer
  readonly #agentReader: AgentReader | null
  #last: Routed | null = null

  /** `isSpare`: every call on this connection is refused. */
  constructor(services: ProxyServices, isSpare: boolean) {
    this.#services = services
    this.#isSpare = isSpare
    this.#agentReader = services.agents?.createReader() ?? null
    this.#authorizer = new Authorizer(services.findKey, {
      onInvalid: services.dimsOnInvalid,
      dropped: (pairs) => services.meter.add('dimsDropped', pairs),
    })
  }

  admit(head: RequestHead, arrived: Omit<Arrival, 'trace'>): Call | Denial {
    const admitted = this.#judge(head, arrived)
    if (!('refusal' in admitted) || findAgentPath(head, this.#services.agentGateway) === null) {
      return admitted
    }
    return { ...admitted, refusal: toAgentRefusal(admitted.refusal, arrived.now) }
  }

  #judge(head: RequestHead, arrived: Omit<Arrival, 'trace'>): Call | Denial {
    if (this.#isSpare) return OVERLOADED
    const arrival = { ...arrived, trace: this.#services.readTrace(head.lines) }
    const routed = this.#route(head)
    const inTarget = isRefusal(routed) ? NOTHING_BROUGHT : routed.inTarget
    const brought = findBrought(head.lines, inTarget, head.isUpgrade)
    const key = this.#authorizer.authenticate(head.lines, arrival.now, brought)
    if (isRefusal(key)) {
      const shape = isRefusal(routed) ? DEFAULT_ERROR_SHAPE : routed.route.provider.errorShape
      return { refusal: key, opening: null, shape }
    }
    if (isRefusal(routed)) return denyUnrouted(routed, head, { arrival, key })
    // Not before: a stranger's connection keeps nothing of what came on it.
    this.#last = routed
    const { provider } = routed.route
    const refusal = authorizeProvider(key, provider.id)
    if (refusal !== null) return deny(refusal, provider, { arrival, key })
    const resolved = this.#authorizer.resolveDims(head.lines, key)
    if (isRefusal(resolved)) return deny(resolved, provider, { arrival, key })
    const { dims, agent, agentHead } = this.#readAgent(head, key, resolved.dims)
    // Most keys may not use a stored credential, and then there is nothing to ask.
    const used =
      brought.keys.length === 0 && key.useCredentials.length === 0
        ? null
        : useStoredCredential({ ...routed, ...routed.route, key, dims, brought, lines: head.lines })
    if (used !== null && isRefusal(used)) return deny(used, provider, { arrival, key })
    const { view, operation, judged } = findOperation(head, routed.target, provider)
    const opening: CallOpening = {
      version: USAGE_EVENT_VERSION,
      id: arrival.id,
      keyId: key.id,
      provider: provider.id,
      operation: operation?.name ?? null,
      dims,
      startedAt: arrival.now,
      trace: arrival.trace,
      agent,
    }
    const { limiter } = this.#services
    const isDerived = used !== null && operation?.derivesToken === true
    const derived = isDerived ? judgeDerivedToken(key, () => limiter.covers(opening)) : null
    if (derived !== null) return { refusal: derived, opening, shape: provider.errorShape }
    const isPlan = used === null && isPaidByPlan(head.lines, provider.plan)
    const blocked = isPlan ? NONE : limiter.findBlocked(opening, arrival.now)
    // The right to make a token is one for all that it may run; a model that is named is judged.
    const isUnnamed =
      isDerived &&
      judged.operation === operation &&
      operation.createNamesReader(view).isBodyless === true
    const policy = isUnnamed ? null : toCallPolicy(key, provider, blocked)
    const body = policy === null ? null : judgeHead({ head, ...judged }, policy, this.#services)
    if (body !== null && isRefusal(body)) {
      return { refusal: body, opening, shape: provider.errorShape }
    }
    const { route } = routed
    return {
      head,
      route,
      isOfAgent: routed.isOfAgent,
      requestLine: used ? toRequestLine(head, route, used.forwarded) : routed.requestLine,
      change: used?.change ?? null,
      credential: used?.credential ?? null,
      operation,
      view,
      opening,
      agentHead,
      headAt: arrival.headAt,
      isPlan,
      limitedKey: limiter.limits(key) ? key : null,
      policy,
      body,
    }
  }

  /** What is worth waiting for before the head that was refused last is refused; null: nothing. */
  awaitKey({ code }: Refusal): Promise<void> | null {
    const { unprovenId } = this.#authorizer
    if (code !== 'invalid_api_key' || unprovenId === null) return null
    return this.#services.awaitKey(unprovenId)
  }

  #readAgent({ lines }: RequestHead, { id }: ApiKey, own: Dims) {
    const said = this.#agentReader?.read(lines) ?? NOTHING_READ
    const agent = this.#services.agents?.complete(said, id)
    const agentHead = agent === null ? said : null
    const dims = said === NOTHING_READ ? own : { ...own, ...said.facts }
    return { dims, agent: agent ?? said.agent, agentHead }
  }

  #route({ method, minor, target: fullTarget }: RequestHead): Routed | Refusal {
    const last = this.#last
    if (last?.fullTarget === fullTarget && last.method === method && last.minor === minor) {
      return last
    }
    const agent = findAgentPath({ method, target: fullTarget }, this.#services.agentGateway)
    const isOfAgent = agent?.kind === 'call'
    const parsed = parseTarget(isOfAgent ? agent.target : fullTarget)
    if (isRefusal(parsed)) return parsed
    const found = findRoute(this.#services.routes, parsed)
    if (isRefusal(found)) return found
    const { route, target } = found
    const requestLine = toRequestLine({ method, minor }, route, target.forwarded)
    const places = placesAt(route.provider, target.plainPath)
    const inTarget = findInTarget(target, places)
    return { method, minor, fullTarget, target, route, requestLine, isOfAgent, places, inTarget }
  }
}

function toCallPolicy(
  key: ApiKey,
  provider: CallPolicy['provider'],
  blocked: readonly BlockedModels[],
): CallPolicy | null {
  if (key.allowedModels.length === 0 && blocked.length === 0) return null
  return { keyId: key.id, provider, models: policyOf(key), blocked, names: new Set() }
}
