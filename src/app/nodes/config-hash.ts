// A short hash of what must be the same on all nodes, so that a node with another configuration is
// noticed. Must stay true: nothing secret goes into it, and nothing that belongs to one machine,
// such as addresses to listen on, paths and sizes.

import { createHash } from 'node:crypto'
import type { Config } from '../../config/config.ts'

const CHARACTERS = 12

export function toConfigHash(config: Config): string {
  return createHash('sha256')
    .update(toText(toCommon(config)))
    .digest('hex')
    .slice(0, CHARACTERS)
}

function toCommon(config: Config): unknown {
  const { providers, prices, alerts, oidc } = config
  const { clientSecret: _, ...openOidc } = oidc
  return {
    providers: mapValues(providers, ({ url, shape, region, credential, credentials }) => {
      // Which calls have one, not where it is: that is a matter of each machine.
      const hasCredential = credential === undefined ? undefined : true
      const rules = credentials?.map(({ key, dim }) => ({ key, dim }))
      return { url, shape, region, hasCredential, rules }
    }),
    prices: { rules: prices.rules, update: prices.update, updateUrl: prices.updateUrl },
    alerts: { ...alerts, smtp: { from: alerts.smtp.from } },
    oidc: openOidc,
    signIn: config.signIn,
    console: config.console,
    limits: config.limits,
    estimates: config.estimates,
    policy: config.policy,
    tap: config.tap,
    dims: config.dims,
    retention: config.retention,
    onFull: config.journal.onFull,
  }
}

function mapValues<Value>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
}

/** The same text whatever order a file has its settings in. */
function toText(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(toText).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const sorted = members.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${toText(member)}`).join()}}`
}
