// What the API's routes need of the configuration, for the API's process and for commands, which
// call routes in their own. What few of them need is loaded on first use.

import type { ApiOptions } from '../api/api-options.ts'
import type { PriceAdmin, PriceAdminOptions } from '../api/prices/price-admin.ts'
import type { TeamAdoption } from '../api/teams/team-adoption.ts'
import { resolveAddresses } from '../config/provider-addresses.ts'
import { toConsoleUrl } from '../config/sign-in-settings.ts'
import { createSlugOf } from '../config/slug-of.ts'
import { canMail } from '../core/mail-address.ts'
import { VERSION } from '../core/version.ts'
import { toProxyUrl } from './ports.ts'

export interface ConfiguredApiOptions extends PriceAdminOptions {
  /** Left out: as configured. */
  readonly proxyPort?: number | null
}

export type ConfiguredApi = Pick<
  ApiOptions,
  | 'slugOf'
  | 'notices'
  | 'checkTarget'
  | 'sendTest'
  | 'prices'
  | 'teamAdoption'
  | 'checkKey'
  | 'requireProviders'
  | 'info'
>

export function toConfiguredApi(options: ConfiguredApiOptions): ConfiguredApi {
  const { config, proxyPort } = options
  return {
    slugOf: createSlugOf(config),
    notices: { canMail: canMail(config.alerts.smtp), consoleUrl: toConsoleUrl(config) },
    checkTarget: async (kind, address, { canResolve }) => {
      const { createTargetCheck } = await import('../alerts/alert-targets.ts')
      const lookup = canResolve ? undefined : () => Promise.resolve([])
      return createTargetCheck(config, lookup)(kind, address)
    },
    sendTest: async (target) => {
      const { createTestSender } = await import('../alerts/alert-targets.ts')
      return createTestSender(config)(target)
    },
    ...openOnDemand(options),
    info: {
      version: VERSION,
      proxyUrl: toProxyUrl(config, proxyPort ?? config.proxy.port),
      providers: [...resolveAddresses(config).keys()],
    },
  }
}

type OnDemand = Pick<ApiOptions, 'prices' | 'teamAdoption' | 'checkKey' | 'requireProviders'>

export function openOnDemand(options: PriceAdminOptions): OnDemand {
  let admin: Promise<PriceAdmin> | null = null
  let adoption: Promise<TeamAdoption> | null = null
  return {
    prices: () =>
      (admin ??= import('../api/prices/price-admin.ts').then((it) => it.createPriceAdmin(options))),
    teamAdoption: () =>
      (adoption ??= import('../api/teams/team-adoption.ts').then((it) =>
        it.createTeamAdoption(options),
      )),
    checkKey: async (question) => {
      const { createKeyCheck } = await import('../api/keys/key-check.ts')
      return createKeyCheck(options.config, options.clock)(question)
    },
    requireProviders: async (ids) => {
      if (ids.length === 0) return
      const { findKnownProvider } = await import('../api/keys/key-check.ts')
      for (const id of ids) findKnownProvider(options.config, id)
    },
  }
}
