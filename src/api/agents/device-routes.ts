// What a person decides about the sign-in of a device. Must stay true: a code is only ever decided
// by the console's own page, in a session, and looking for codes is limited by person and address.

import { ACCESS_MS, parseUserCode } from '../../core/agents/device-code.ts'
import { hashSecret } from '../../core/ids.ts'
import type { Team } from '../../core/teams/team.ts'
import { toUserActor } from '../../core/user.ts'
import type { User } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import { SIGNED_IN } from '../accounts/session-access.ts'
import { addressOf } from '../accounts/session-check.ts'
import type { AgentOptions, ApiServices } from '../api-options.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute, Call } from '../define-route.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { toIso } from '../iso-time.ts'
import { toOwnedKey } from '../keys/key-owners.ts'
import { toKeySettings } from '../keys/parse-key.ts'
import { findMembership } from '../teams/team-directory.ts'
import type { FoundSession } from '../../store/settings/session-store.ts'
import {
  deviceApprovalSchema,
  deviceCodeSchema,
  deviceDecisionSchema,
  deviceSchema,
} from './device-contract.ts'

const defineRoute = routesOf('Sign-in')
/** In ten minutes: of one person, and of one address, which many may share. */
const LOOKS_MAX = { person: 20, address: 200 } as const
const LOOKS_MS = 600_000
/** As people see it among their keys. */
export const DEVICE_KEY_NAME = 'Claude Code'

const SESSION = { access: SIGNED_IN, sight: 'anyone' } as const

type DeviceCall = Call<FoundSession, object, { readonly user_code: string }>

export const DEVICE_ROUTES: readonly ApiRoute[] = [
  defineRoute('POST /v1/device/find', {
    name: 'findDevice',
    summary: 'What waits to be approved with a code',
    description:
      'For the page on which a person signs a device in. Twenty codes may be asked for in ten minutes.',
    ...SESSION,
    body: { schema: deviceCodeSchema },
    answer: ok('Who asks, and for what.', deviceSchema),
    handle: async (call) => {
      const { services, caller, body } = call
      const { agents, codeHash } = await requireCode(call)
      const asked = await services.settings.deviceSignIns.find(codeHash)
      if (asked === null) throw unknownCode()
      const { teams, fault } = await readChoice(caller.user, services, agents)
      return {
        user_code: parseUserCode(body.user_code) ?? '',
        agent: asked.agent,
        address: asked.address,
        own_address: addressOf(call.context, services),
        asked_at: toIso(asked.askedAt),
        expires_at: toIso(asked.endsAt),
        provider: agents.provider,
        email: caller.user.email,
        teams: teams.map(({ id, name }) => ({ id, name })),
        fault,
      }
    },
  }),
  defineRoute('POST /v1/device/approve', {
    name: 'approveDevice',
    summary: 'Sign a device in',
    description:
      'Makes a personal key of whoever is signed in, in the team, within its limits. Its secret goes to the device alone, and changes each day.',
    ...SESSION,
    body: { schema: deviceApprovalSchema },
    answer: ok('It is signed in.', deviceDecisionSchema),
    handle: async (call) => {
      const { services, caller, body } = call
      const { agents, codeHash } = await requireCode(call)
      const { deviceSignIns } = services.settings
      if ((await deviceSignIns.find(codeHash)) === null) throw unknownCode()
      const { user } = caller
      const { teams, fault } = await readChoice(user, services, agents)
      if (fault !== null) throw new WeirError('scope_denied', fault)
      const isTheirs = teams.some(({ id }) => id === body.team_id)
      if (!isTheirs && (teams.length > 0 || body.team_id !== null)) {
        throw invalidParameter('team_id: choose one of your teams.')
      }
      const settings = services.settings.as(toUserActor(user))
      const keyId = await createDeviceKey(
        { user, teamId: body.team_id, agents },
        services,
        settings,
      )
      const decision = { kind: 'approved', userId: user.id, keyId } as const
      if (!(await deviceSignIns.decide(codeHash, decision))) {
        await settings.keys.revoke(keyId)
        throw unknownCode()
      }
      return { decision: 'approved' as const }
    },
  }),
  defineRoute('POST /v1/device/deny', {
    name: 'denyDevice',
    summary: 'Refuse a device',
    ...SESSION,
    body: { schema: deviceCodeSchema },
    answer: ok('It is refused.', deviceDecisionSchema),
    handle: async (call) => {
      const { codeHash } = await requireCode(call)
      const { deviceSignIns } = call.services.settings
      if (!(await deviceSignIns.decide(codeHash, { kind: 'denied' }))) throw unknownCode()
      return { decision: 'denied' as const }
    },
  }),
]

async function requireCode({ services, caller, context, body }: DeviceCall) {
  const { agents, settings } = services
  if (agents === undefined) {
    throw new WeirError('not_found', 'Signing in from a device is turned off here.', {
      hint: 'An operator turns it on by agents.signIn.claude.',
    })
  }
  const names = { person: caller.user.id, address: addressOf(context, services) }
  for (const kind of ['person', 'address'] as const) {
    const [group, name, limit] = [`device code ${kind}`, names[kind], LOOKS_MAX[kind]]
    const window = { group, name, limit, windowMs: LOOKS_MS }
    if (!(await settings.counters.take(window)).isAllowed) {
      throw new WeirError('rate_limited', 'Too many codes were tried. Wait ten minutes.')
    }
  }
  const code = parseUserCode(body.user_code)
  if (code === null) throw unknownCode()
  return { agents, codeHash: hashSecret(code) }
}

function unknownCode(): WeirError {
  return new WeirError('not_found', 'No sign-in waits with this code.', {
    hint: 'It may have expired, or been decided already. Start again on your device.',
  })
}

interface Choice {
  readonly teams: readonly Team[]
  /** Why none of them can be chosen, nor none at all. */
  readonly fault: string | null
}

/** In which of their teams a person can have a key that uses the stored credential. */
async function readChoice(
  user: User,
  { teamDirectory }: ApiServices,
  { provider }: AgentOptions,
): Promise<Choice> {
  const known = await teamDirectory.read()
  const own = known.teams.filter(
    ({ id, archivedAt }) => archivedAt === null && findMembership(known, id, user.id) !== null,
  )
  const teams = own.filter(
    ({ useCredentials, allowedProviders }) =>
      useCredentials.includes(provider) &&
      (allowedProviders.length === 0 || allowedProviders.includes(provider)),
  )
  return { teams, fault: toFault(user, { own, teams, provider }) }
}

interface Owned {
  readonly own: readonly Team[]
  readonly teams: readonly Team[]
  readonly provider: string
}

function toFault({ role }: User, { own, teams, provider }: Owned): string | null {
  if (teams.length > 0) return null
  if (own.length > 0) {
    const names = own.map(({ name }) => name).join(', ')
    return `No team of yours (${names}) may use the stored credential of ${provider}. Ask an administrator of Weir to allow it.`
  }
  // Whoever may do everything may also have a key of no team.
  if (role === 'admin') return null
  return 'You are in no team yet. Ask an administrator of Weir to add you to one.'
}

interface DeviceKey {
  readonly user: User
  readonly teamId: string | null
  readonly agents: AgentOptions
}

/** Nobody is told its first secret: the device is given the next one. */
async function createDeviceKey(
  { user, teamId, agents }: DeviceKey,
  services: ApiServices,
  settings: ApiServices['settings'],
): Promise<string> {
  const nowMs = services.clock.now()
  const owned = await toOwnedKey(
    {
      name: DEVICE_KEY_NAME,
      team_id: teamId,
      person_id: user.id,
      allowed_providers: [agents.provider],
      use_credentials: [agents.provider],
      expires_at: new Date(nowMs + ACCESS_MS).toISOString(),
    },
    services,
  )
  const { key } = await settings.keys.create(toKeySettings(owned, nowMs))
  return key.id
}
