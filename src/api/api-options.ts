// What the API needs from the process that opens it.

import type { BlockList } from 'node:net'
import type { AlertTarget, TargetKind } from '../core/alert.ts'
import type { SlugOf } from '../core/budget-index.ts'
import type { Caller } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import type { Completeness } from '../core/completeness.ts'
import type { Money } from '../core/money.ts'
import type { CallerSight } from '../core/teams/sight.ts'
import type { SettingsStore } from '../store/settings/settings-store.ts'
import type { NodeRole, NodeStore } from '../store/nodes/node-store.ts'
import type { LedgerProgress } from '../store/ledger/ledger-progress.ts'
import type { UsageStore } from '../store/usage/usage-store.ts'
import type { ApiLog } from './answer-error.ts'
import type { OidcClient } from '../accounts/oidc-client.ts'
import type { Passwords, ScryptCost } from '../accounts/passwords.ts'
import type { OidcOptions, SignInOptions } from '../accounts/sign-in-options.ts'
import type { BudgetsOfKeys } from './budgets/budgets-of-keys.ts'
import type { ClientAddress } from './client-address.ts'
import type { ExportSlots } from './exports/export-slots.ts'
import type { ApiHosts } from './host-check.ts'
import type { LeasedMoney } from '../core/budget-state.ts'
import type { KeyQuestion } from './keys/key-check.ts'
import type { KeyCheckAnswer } from './keys/key-contract.ts'
import type { KeyDirectory } from './keys/key-directory.ts'
import type { PriceAdmin } from './prices/price-admin.ts'
import type { LongQuestions, QuestionsOf } from './questions/long-questions.ts'
import type { Asker } from './questions/question-queue.ts'
import type { RateLimit } from './rate-limit.ts'
import type { SignInAttempts } from '../accounts/sign-in-attempts.ts'
import type { SignInResult } from '../core/telemetry.ts'
import type { ServiceFigures, ServiceInfo } from './service/service-figures.ts'
import type { ReadSilentNodes } from './service/silent-nodes.ts'
import type { TeamAdoption } from './teams/team-adoption.ts'
import type { TeamDirectory } from './teams/team-directory.ts'
import type { UsageSnapshots } from './usage/usage-snapshots.ts'

/** Calls that run under a blocking budget, and their expected cost. */
export interface BudgetReservations {
  readonly running: number
  readonly reserved: Money
  /** Absent where there is one node. */
  readonly leases?: LeasedMoney
}

/** The calls of one node. A node that is no longer listed is known by its id only. */
export interface NodeCalls extends Completeness {
  readonly id: string
  readonly host: string | null
  readonly role: NodeRole | null
  readonly seenAt: number | null
  readonly isSilent: boolean
}

/** Over all nodes, and by node. */
export interface CountedCalls extends Completeness {
  /** Absent where there is one node. */
  readonly nodes?: readonly NodeCalls[]
  /** Later calls of the nodes may be missing. Absent where it is this moment. */
  readonly asOf?: number
}

export interface TestResult {
  readonly isDelivered: boolean
  readonly detail: string
}

export interface ApiInfo {
  readonly version: string
  /** Without a final slash. */
  readonly proxyUrl: string
  readonly providers: readonly string[]
}

/** For agents that sign in without a key. */
export interface AgentOptions {
  /** The provider that their calls go to. */
  readonly provider: string
  /** Of the proxy, without a final slash; null: as its caller wrote it. */
  readonly publicUrl: string | null
  /** By which the API knows this node's own proxy; null where there is none. */
  readonly relaySecret: string | null
  /** A folder; null where there are none. */
  readonly managedSettings: string | null
}

export interface ApiOptions {
  readonly settings: SettingsStore
  readonly usage: UsageStore
  readonly ledgerProgress: LedgerProgress
  readonly clock: Clock
  /** Of new passwords. Absent but in tests, which would compute hashes most of the time. */
  readonly passwordCost?: ScryptCost
  /** A fault in one sentence, or null when ready. */
  readonly isReady: () => Promise<string | null>
  /** What an operator should know although it is ready. Absent where there is nothing. */
  readonly listWarnings?: () => readonly string[]
  readonly completeness: () => Promise<CountedCalls>
  /** Absent where there is one node. */
  readonly nodes?: Pick<NodeStore, 'list' | 'forget'>
  readonly renderMetrics: () => Promise<string>
  /** By budget id; unknown budgets are absent. Left out: nothing is known. */
  readonly reservations?: () =>
    | ReadonlyMap<string, BudgetReservations>
    | Promise<ReadonlyMap<string, BudgetReservations>>
  readonly slugOf: SlugOf
  /** Why alerts may not be sent there; null when they may. */
  readonly checkTarget: (
    kind: TargetKind,
    address: string,
    /** False: the address is judged as written, and its name not looked up. */
    how: { readonly canResolve: boolean },
  ) => Promise<string | null>
  /** Of what people are told besides the targets. Left out: no mail is sent, links are paths. */
  readonly notices?: { readonly canMail: boolean; readonly consoleUrl: string | null }
  readonly sendTest: (target: AlertTarget) => Promise<TestResult>
  /** Throws `invalid_argument` for an unknown provider. */
  readonly checkKey: (question: KeyQuestion) => Promise<KeyCheckAnswer>
  /** Throws `invalid_argument` for the first that is unknown. */
  readonly requireProviders: (ids: readonly string[]) => Promise<void>
  /** Opened on first use: the price data takes a while to load. */
  readonly prices: () => Promise<PriceAdmin>
  /** The same. */
  readonly teamAdoption: () => Promise<TeamAdoption>
  readonly info: ApiInfo
  readonly site: ServiceInfo
  readonly signIn: SignInOptions
  /** Absent where it is turned off. */
  readonly agents?: AgentOptions
  readonly consoleDir: string | null
  /** How long an export waits for its reader. Left out: EXPORT_LIMITS. */
  readonly exportStallMs?: number
  /** Hosts it answers to beside loopback and the console's; left out: no more. */
  readonly hosts?: ApiHosts
  /** Reverse proxies whose word on the client's address is taken; left out: none. */
  readonly trustedProxies?: BlockList
  readonly countSignIn?: (result: SignInResult) => void
  readonly countUnknownGroups?: (count: number) => void
  readonly log: ApiLog
  /** Who calls, where routes are called in process; left out: whoever a request names. */
  readonly caller?: Caller
  /** Counts that a limit was reached. */
  readonly limitHit?: (limit: 'api_connections' | 'api_cut' | 'api_questions') => void
  /** Who answers long questions, and how many at once. Left out: this thread. */
  readonly longQuestions?: { readonly questionsOf: QuestionsOf; readonly placesMax: number }
}

export interface ApiServices extends ApiOptions {
  /** Within a route, all that tells of calls and settings is as its caller sees it. */
  readonly sight: CallerSight
  /** Left out where the caller sees every budget. */
  readonly everyBudget?: () => Promise<BudgetsOfKeys>
  readonly questions: LongQuestions
  readonly askAs: (asker: Asker) => Pick<ApiServices, 'usage' | 'questions' | 'totalsOf'>
  /** The usage of one team, for sums of all of it; refused where its totals are not to be known. */
  readonly totalsOf: (teamId: string) => Pick<UsageStore, 'readSnapshot'>
  readonly keyDirectory: KeyDirectory
  readonly teamDirectory: TeamDirectory
  readonly usageSnapshots: UsageSnapshots
  readonly serviceFigures: () => Promise<ServiceFigures>
  /** Never rejects. */
  readonly silentNodes: ReadSilentNodes
  readonly rateLimit: RateLimit
  /** Of the request log, which is counted by itself. */
  readonly logRateLimit: RateLimit
  readonly scimRateLimit: RateLimit
  /** People click faster than programs should poll. */
  readonly sessionRateLimit: RateLimit
  readonly clientAddress: ClientAddress
  readonly signInAttempts: SignInAttempts
  readonly exportSlots: ExportSlots
  readonly passwords: Passwords
  readonly loadOidcClient: (options: OidcOptions) => Promise<OidcClient>
  /** The OpenAPI document as JSON; made on first use, which is slow, and kept. */
  readonly readDocument: () => string
}
