// Price rules and imported price data. Must stay true: a rule is never altered, only
// replaced under a new id; every change raises the revision and is audited in the same transaction,
// or a polling ledger would continue with old prices.

import { randomBytes } from 'node:crypto'
import { assert } from '../../../core/assert.ts'
import { ChangedMeanwhile } from '../changed-meanwhile.ts'
import type { Expected } from '../changed-meanwhile.ts'
import type { Clock } from '../../../core/clock.ts'
import type { NewPriceRule, PriceRule, RulePrice } from '../../../core/price-rule.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { SqlDatabase } from '../../sql/sql.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { toChanges, toImportFacts, toRuleFacts } from './audit-changes.ts'
import { readTogether } from '../../sqlite/read-together.ts'
import { IMPORT_BYTES_MAX } from '../price-store.ts'
import type { ImportedPrices, PriceSettings, PriceStore } from '../price-store.ts'
import type { WriteAudit, WriteAuditNow } from './audit.ts'
import { prepareRevision } from './revision.ts'
import { prepareVersionCheckNow } from './version-check.ts'

export interface PricesOptions {
  readonly file: SqliteFile
  readonly database: SqlDatabase
  readonly clock: Clock
  readonly writeAuditNow: WriteAuditNow
  readonly writeAudit: WriteAudit
  readonly rulesMax: number
}

interface RuleRow {
  id: string
  provider: string
  model: string
  tier: string | null
  effective_from: number
  price: string
  note: string | null
  created_at: number
}

interface ImportRow {
  version: string
  published_at: number
  text: string
  imported_at: number
  who: string
}

const RULE_COLUMNS = 'id, provider, model, tier, effective_from, price, note, created_at'
const IMPORT_COLUMNS = 'version, published_at, text, imported_at, who'
const ORDER = "provider, model, COALESCE(tier, ''), effective_from"

export function createPrices(options: PricesOptions): PriceStore {
  const { file, writeAuditNow } = options
  const revisions = prepareRevision(file, 'price_revision')
  const setRule = prepareSet(options, () => revisions.raise())
  const selectRules = file.prepareOnce<RuleRow>(
    `SELECT ${RULE_COLUMNS} FROM price_rules ORDER BY ${ORDER}`,
  )
  const remove = file.prepareOnce<RuleRow>(
    `DELETE FROM price_rules WHERE id = ? RETURNING ${RULE_COLUMNS}`,
  )
  const selectImport = file.prepareOnce<ImportRow>(`SELECT ${IMPORT_COLUMNS} FROM price_import`)
  const replaceImport = prepareImport(options)

  function read(): PriceSettings {
    return readTogether(file, () => {
      const imported = selectImport.first()
      return {
        revision: revisions.read(),
        rules: selectRules.all().map(fromRuleRow),
        imported: imported === null ? null : fromImportRow(imported),
      }
    })
  }

  return {
    async set(rule: NewPriceRule, expected = null): Promise<PriceRule> {
      return file.transact(() => setRule(rule, expected))
    },

    async remove(id: string): Promise<PriceRule | null> {
      return file.transact(() => {
        const row = remove.first(id)
        if (row === null) return null
        revisions.raise()
        const rule = fromRuleRow(row)
        const changes = toChanges(toRuleFacts(rule), null)
        writeAuditNow({ action: 'price.unset', ...toSubject(rule), changes })
        return rule
      })
    },

    async putImport(imported: Omit<ImportedPrices, 'importedAt'> | null): Promise<void> {
      if (imported !== null) refuseLargeText(imported.text)
      file.transact(() => {
        const isReplaced = replaceImport(imported)
        if (isReplaced || imported !== null) revisions.raise()
      })
    },

    async read(): Promise<PriceSettings> {
      return read()
    },

    async readChanges(revision: number): Promise<PriceSettings | null> {
      // A store behind its reader was restored from a backup, so any difference counts.
      return revisions.read() === revision ? null : read()
    },
  }
}

function prepareSet(
  { file, clock, writeAuditNow, rulesMax }: PricesOptions,
  raise: () => void,
): (rule: NewPriceRule, expected: Expected) => PriceRule {
  const requireExpected = prepareRuleCheck(file)
  const count = file.prepareOnce<{ n: number }>('SELECT COUNT(*) AS n FROM price_rules')
  const selectPlace = file.prepareOnce<RuleRow>(`SELECT ${RULE_COLUMNS} FROM price_rules
    WHERE provider = ? AND model = ? AND tier IS ? AND effective_from = ?`)
  const remove = file.prepareOnce('DELETE FROM price_rules WHERE id = ?')
  const insert = file.prepareOnce(`INSERT INTO price_rules (${RULE_COLUMNS}) VALUES
    (:id, :provider, :model, :tier, :effective_from, :price, :note, :created_at)`)

  return (rule, expected) => {
    const { provider, model, tier, effectiveFrom, note } = rule
    assert(Number.isSafeInteger(effectiveFrom), 'a rule is in force from a whole millisecond on')
    const price = JSON.stringify(rule.price)
    const old = selectPlace.first(provider, model, tier, effectiveFrom)
    requireExpected(old, expected)
    // An identical rule stays, so the price version of what it priced stays valid.
    if (old !== null && old.price === price && old.note === note) return fromRuleRow(old)
    if (old !== null) remove.run(old.id)
    if (Number(count.first()?.n) >= rulesMax) throw createTooManyRules(rulesMax)
    const row: RuleRow = {
      id: `price_${randomBytes(8).toString('hex')}`,
      provider,
      model,
      tier,
      effective_from: effectiveFrom,
      price,
      note,
      created_at: clock.now(),
    }
    insert.run({ ...row })
    raise()
    const made = fromRuleRow(row)
    writeAuditNow({ action: 'price.set', ...toSubject(made), changes: toRuleChanges(old, made) })
    return made
  }
}

/** A rule is never altered, so its version is the line that set it. */
function prepareRuleCheck(file: SqliteFile) {
  const requireVersion = prepareVersionCheckNow(file)
  const select = file.prepareOnce<{ version: number | null }>(
    'SELECT MAX(number) AS version FROM audit WHERE subject_id = ?',
  )
  return (old: RuleRow | null, expected: Expected): void => {
    const isGone = old === null && expected !== null && expected !== 'absent'
    if (isGone) throw new ChangedMeanwhile(0, [])
    if (old === null) return
    requireVersion({ id: old.id, version: select.first(old.id)?.version ?? 0 }, expected)
  }
}

function toRuleChanges(old: RuleRow | null, rule: PriceRule) {
  if (old === null) return toChanges(null, toRuleFacts(rule))
  const before = fromRuleRow(old)
  return toChanges({ id: before.id, ...toRuleFacts(before) }, { id: rule.id, ...toRuleFacts(rule) })
}

function toSubject({ id, provider, model }: PriceRule) {
  return { subjectId: id, subjectName: `${provider} ${model}` }
}

/** The returned function reports whether there was an import before. */
function prepareImport({ file, clock, writeAuditNow }: PricesOptions) {
  const select = file.prepareOnce<ImportRow>(`SELECT ${IMPORT_COLUMNS} FROM price_import`)
  const remove = file.prepareOnce('DELETE FROM price_import')
  const insert = file.prepareOnce(`INSERT INTO price_import (id, ${IMPORT_COLUMNS})
    VALUES (1, :version, :published_at, :text, :imported_at, :who)`)

  return (imported: Omit<ImportedPrices, 'importedAt'> | null): boolean => {
    const row = select.first()
    const old = row === null ? null : fromImportRow(row)
    remove.run()
    if (imported !== null) {
      const { version, publishedAt, text, who } = imported
      insert.run({ version, text, who, published_at: publishedAt, imported_at: clock.now() })
    }
    if (isSameImport(old, imported)) return old !== null
    const changes = toChanges(old && toImportFacts(old), imported && toImportFacts(imported))
    const action = imported === null ? 'price.unset' : 'price.import'
    const subjectName = (imported ?? old)?.version ?? null
    writeAuditNow({ action, subjectId: null, subjectName, changes })
    return old !== null
  }
}

type ImportedData = Pick<ImportedPrices, 'version' | 'publishedAt' | 'text'> | null

function isSameImport(one: ImportedData, other: ImportedData): boolean {
  if (one === null || other === null) return one === other
  const { version, publishedAt, text } = one
  return version === other.version && publishedAt === other.publishedAt && text === other.text
}

function fromRuleRow(row: RuleRow): PriceRule {
  return {
    id: row.id,
    provider: row.provider,
    model: row.model,
    tier: row.tier,
    effectiveFrom: row.effective_from,
    price: parsePrice(row.price),
    note: row.note,
    createdAt: row.created_at,
  }
}

function parsePrice(text: string): RulePrice {
  const price = JSON.parse(text) as RulePrice
  assert(price.kind === 'rates' || price.kind === 'multiplier', 'a stored price is of a known kind')
  return price
}

function fromImportRow(row: ImportRow): ImportedPrices {
  const { version, text, who } = row
  return { version, text, who, publishedAt: row.published_at, importedAt: row.imported_at }
}

function refuseLargeText(text: string): void {
  const bytes = Buffer.byteLength(text)
  if (bytes <= IMPORT_BYTES_MAX) return
  const message = `The price data has ${bytes} bytes; at most ${IMPORT_BYTES_MAX} are kept.`
  throw new WeirError('invalid_argument', message, { hint: 'Leave out what you do not use.' })
}

function createTooManyRules(rulesMax: number): WeirError {
  const message = `There are ${rulesMax} price rules, the most the store takes.`
  return new WeirError('invalid_argument', message, {
    hint: 'Remove some with weir prices unset, or write one rule with a * for many models.',
  })
}
