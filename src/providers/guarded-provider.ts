// A provider whose functions never throw: the proxy sees no other. A defect costs at most a call's
// reading, or refuses a call whose models must be known, but never a caller's bytes or a worker.

import type { Meter } from '../core/telemetry.ts'
import { parseRegion } from '../core/usage-event.ts'
import {
  FAILED_MESSAGES,
  FAILED_NAMES,
  FAILED_USAGE,
  Guard,
  GuardedMessageReader,
  GuardedModelReader,
  GuardedNamesReader,
  GuardedUsageReader,
} from './guarded-readers.ts'
import type { Called, Report } from './guarded-readers.ts'
import type {
  CallLocation,
  MatchedOperation,
  MessageReader,
  NamesReader,
  Operation,
  Provider,
  RequestView,
  TunnelOperation,
  UsageReader,
} from './provider.ts'
import { createErrorReader } from './shapes/provider-error.ts'
import { unknownCalls } from './shapes/unknown-calls.ts'

type Unguarded = 'operations' | 'unknown' | 'regionOf' | 'prepare'

export interface GuardedProvider extends Omit<Provider, Unguarded> {
  /** Null where the provider does not know the request; `failed` where that cannot be said. */
  findOperation(request: RequestView): MatchedOperation | null | 'failed'
  /** For requests without an operation, and for the record alone. */
  readonly unknown: MatchedOperation
  /** Null where the call names none, or nothing that can be one. */
  regionOf(place: CallLocation): string | null
  prepare(): void
}

export interface GuardOptions {
  readonly meter: Meter
  readonly warn: (fields: object, message: string) => void
}

const UNKNOWN_CALLS = unknownCalls()

/** Every failure is counted; the first per operation and function is logged. */
export function guardProvider(provider: Provider, options: GuardOptions): GuardedProvider {
  const { operations, unknown = UNKNOWN_CALLS, ...facts } = provider
  const { meter, warn } = options
  const logged = new Set<string>()
  const reportFor =
    (operation: string): Report =>
    (called, cause) => {
      meter.add('providerFailures', 1, provider.id, operation)
      const olderMetric = olderMetricOf(called)
      if (olderMetric !== null) meter.add(olderMetric, 1)
      const kind = `${operation} ${called}`
      if (logged.has(kind)) return
      logged.add(kind)
      const fields = { provider: provider.id, operation, function: called, ...describe(cause) }
      warn(fields, "a provider's reader failed; further failures of this kind are only counted")
    }
  const guarded = operations.map((operation) => {
    const report = reportFor(operation.name)
    return { operation, report, guarded: guardOperation(operation, report) }
  })
  const guard = new Guard(reportFor('none'))
  return {
    ...facts,
    unknown: guardOperation(unknown, reportFor(unknown.name)),
    findOperation(request) {
      for (const each of guarded) {
        try {
          if (each.operation.matches(request)) return each.guarded
        } catch (cause) {
          // A later operation may match too, and would misread it.
          each.report('matches', cause)
          return 'failed'
        }
      }
      return null
    },
    regionOf: (place) =>
      guard.attempt('regionOf', null, () => {
        const region = provider.regionOf?.(place) ?? null
        return region === null ? null : parseRegion(region)
      }),
    prepare: () => guard.attempt('prepare', undefined, () => provider.prepare?.()),
  }
}

function olderMetricOf(called: Called): 'policyFailures' | 'tapFailures' | null {
  if (called === 'matches' || called === 'regionOf' || called === 'prepare') return null
  return /namesReader/i.test(called) ? 'policyFailures' : 'tapFailures'
}

const FRAMES_MAX = 5

/** Without the message: an engine's own messages quote values, such as a prompt. */
function describe(cause: unknown): object {
  if (!(cause instanceof Error)) return { cause: typeof cause }
  const head = String(cause)
  const stack = cause.stack ?? ''
  const frames = stack.startsWith(head) ? stack.slice(head.length).trim().split(/\n\s*/) : []
  return { cause: cause.name, at: frames.slice(0, FRAMES_MAX) }
}

function guardOperation(operation: Operation, report: Report): MatchedOperation {
  const { name, isFree, derivesToken, tunnel } = operation
  const guard = new Guard(report)
  return {
    name,
    ...(isFree === undefined ? {} : { isFree }),
    ...(derivesToken === undefined ? {} : { derivesToken }),
    createModelReader: (request) =>
      guard.attempt('createModelReader', null, () => {
        const reader = operation.createModelReader(request)
        return reader === null ? null : new GuardedModelReader(reader, report)
      }),
    createNamesReader: (request) =>
      guard.attempt<NamesReader>(
        'createNamesReader',
        FAILED_NAMES,
        () => new GuardedNamesReader(operation.createNamesReader(request), report),
      ),
    createUsageReader: (request, response) =>
      guard.attempt<UsageReader>('createUsageReader', FAILED_USAGE, () => {
        const isError = response.status >= 400
        const reader = isError
          ? createErrorReader(response)
          : operation.createUsageReader(request, response)
        return new GuardedUsageReader(reader, report)
      }),
    ...(tunnel === undefined ? {} : { tunnel: guardTunnel(tunnel, report) }),
  }
}

function guardTunnel(tunnel: TunnelOperation, report: Report): TunnelOperation {
  const guard = new Guard(report)
  const { readModel } = tunnel
  return {
    hasErrors: tunnel.hasErrors,
    readAsk: (message) => guard.attempt('tunnel.readAsk', null, () => tunnel.readAsk(message)),
    createUsageReader: (request, steps) =>
      guard.attempt<MessageReader>(
        'tunnel.createUsageReader',
        FAILED_MESSAGES,
        () => new GuardedMessageReader(tunnel.createUsageReader(request, steps), report),
      ),
    createNamesReader: () =>
      guard.attempt<NamesReader>(
        'tunnel.createNamesReader',
        FAILED_NAMES,
        () => new GuardedNamesReader(tunnel.createNamesReader(), report),
      ),
    ...(readModel !== undefined && {
      readModel: (message) => guard.attempt('tunnel.readModel', null, () => readModel(message)),
    }),
  }
}
