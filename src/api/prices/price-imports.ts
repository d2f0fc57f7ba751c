// Imports listed prices of a text for the API, takes them away, and exports all there are.

import type { PriceImportAnswer, PriceImportRequest, RemovedImport } from '../contract.ts'
import type { Clock } from '../../core/clock.ts'
import type { Actor } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import { exportPriceData } from '../../pricing/service/price-export.ts'
import { measureImpact } from '../../pricing/service/price-impact.ts'
import type { ImpactOptions } from '../../pricing/service/price-impact.ts'
import { checkImport, findImportDoubts, storeImport } from '../../pricing/service/price-import.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import { toImportReport } from './import-report.ts'

export interface PriceImportsOptions extends Pick<ImpactOptions, 'config' | 'dayCallsMax'> {
  readonly settings: SettingsStore
  readonly usage: UsageStore
  readonly clock: Clock
}

export function createPriceImports({ settings, clock, ...options }: PriceImportsOptions) {
  return {
    /** Throws `invalid_argument` with all faults of the text at once. */
    async importText(question: PriceImportRequest, actor: Actor): Promise<PriceImportAnswer> {
      const { text, published_at: publishedAt, dry_run: isTrial = false, force = false } = question
      const own = settings.as(actor)
      const current = await own.prices.read()
      const nowMs = clock.now()
      const changedAt = question.changed_at ?? nowMs
      const source = 'The text'
      const checked = checkImport(current, { text, source, publishedAt, changedAt, nowMs })
      const impact = checked.isUnchanged
        ? null
        : await measureImpact(checked, { ...options, settings: current, nowMs })
      const doubts = findImportDoubts(checked)
      const isImported = !isTrial && (force || doubts.length === 0)
      if (isImported) await storeImport(own, checked, actor.name)
      return { ...toImportReport({ checked, impact, isImported }), doubts: [...doubts] }
    },
    /** The bundled prices apply again. Throws `not_found` where nothing was imported. */
    async removeImported(actor: Actor): Promise<RemovedImport> {
      const { prices } = settings.as(actor)
      const { imported } = await prices.read()
      if (imported === null) {
        throw new WeirError('not_found', 'No prices were imported.', {
          hint: 'The bundled prices are in force; there is nothing to do.',
        })
      }
      await prices.putImport(null)
      return { version: imported.version }
    },
    /** As a price file. */
    exportText: async () => exportPriceData(await settings.prices.read()),
  }
}
