// Price rules and imported price data. Must stay true: a rule is never altered, only
// replaced under a new id; every change raises the revision and is audited in the same transaction,
// or a polling ledger would continue with old prices.

import { randomBytes } from 'node:crypto'
import { assert } from '../../../core/assert.ts'
import { ChangedMeanwhile } from '../changed-meanwhile.ts'
import type { Expected } from '../changed-meanwhile.ts'
import type { NewPriceRule, PriceRule, RulePrice } from '../../../core/price-rule.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { Sql } from '../../sql/sql.ts'
import { toChanges, toImportFacts, toRuleFacts } from './audit-changes.ts'
import { IMPORT_BYTES_MAX } from '../price-store.ts'
import type { ImportedPrices, PriceSettings, PriceStore } from '../price-store.ts'
import { requireVersion } from './audit.ts'
import { toMembers } from '../../sql/members.ts'
import type { SettingsTools } from './tools.ts'
import { raiseRevision, readRevision } from './revision.ts'

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

const RULE_MEMBERS = [
  ...(['id', 'provider', 'model', 'tier', 'effective_from', 'note', 'created_at'] as const),
]
const IMPORT_MEMBERS = ['version', 'published_at', 'text', 'imported_at', 'who'] as const
const RULE_COLUMNS = ['price', ...RULE_MEMBERS].join(', ')
const IMPORT_COLUMNS = IMPORT_MEMBERS.join(', ')
const ORDER = "provider, model, COALESCE(tier, ''), effective_from"
const REVISION = 'price_revision'
const SELECT_RULES = `SELECT ${RULE_COLUMNS} FROM price_rules ORDER BY ${ORDER}`
const SELECT_PLACE = `SELECT ${RULE_COLUMNS} FROM price_rules
  WHERE provider = ? AND model = ? AND tier IS NOT DISTINCT FROM ? AND effective_from = ?`
const INSERT_RULE = `INSERT INTO price_rules (${RULE_COLUMNS}) VALUES
  (${RULE_COLUMNS.replaceAll(/\w+/g, ':$&')})`
const REMOVE_RULE = `DELETE FROM price_rules WHERE id = ? RETURNING ${RULE_COLUMNS}`
const SELECT_IMPORT = `SELECT ${IMPORT_COLUMNS} FROM price_import`
const INSERT_IMPORT = `INSERT INTO price_import (id, ${IMPORT_COLUMNS})
  VALUES (1, ${IMPORT_COLUMNS.replaceAll(/\w+/g, ':$&')})`

export function createPrices(options: SettingsTools): PriceStore {
  const { database, writeAudit } = options

  function read(): Promise<PriceSettings> {
    return database.readSnapshot(async (sql) => {
      const imported = await sql.first<ImportRow>(SELECT_IMPORT)
      const rules = await sql.all<RuleRow>(SELECT_RULES)
      return {
        revision: await readRevision(sql, REVISION, database.epoch),
        rules: rules.map(fromRuleRow),
        imported: imported === null ? null : fromImportRow(imported),
      }
    })
  }

  return {
    async set(rule: NewPriceRule, expected = null): Promise<PriceRule> {
      return database.transact((sql) => setRule(sql, options, { rule, expected }))
    },

    async remove(id: string): Promise<PriceRule | null> {
      return database.transact(async (sql) => {
        const row = await sql.first<RuleRow>(REMOVE_RULE, [id])
        if (row === null) return null
        await raiseRevision(sql, REVISION)
        const rule = fromRuleRow(row)
        const changes = toChanges(toRuleFacts(rule), null)
        await writeAudit(sql, { action: 'price.unset', ...toSubject(rule), changes })
        return rule
      })
    },

    async putImport(imported: Omit<ImportedPrices, 'importedAt'> | null): Promise<void> {
      if (imported !== null) refuseLargeText(imported.text)
      await database.transact(async (sql) => {
        const isReplaced = await replaceImport(sql, options, imported)
        if (isReplaced || imported !== null) await raiseRevision(sql, REVISION)
      })
    },

    read,

    async readChanges(revision: number): Promise<PriceSettings | null> {
      // A store behind its reader was restored from a backup, so any difference counts.
      return (await readRevision(database, REVISION, database.epoch)) === revision ? null : read()
    },
  }
}

interface AskedRule {
  readonly rule: NewPriceRule
  readonly expected: Expected
}

async function setRule(
  sql: Sql,
  { clock, writeAudit, rulesMax }: SettingsTools,
  { rule, expected }: AskedRule,
): Promise<PriceRule> {
  const { provider, model, tier, effectiveFrom, note } = rule
  assert(Number.isSafeInteger(effectiveFrom), 'a rule is in force from a whole millisecond on')
  const price = JSON.stringify(rule.price)
  const old = await sql.first<RuleRow>(SELECT_PLACE, [provider, model, tier, effectiveFrom])
  await requireExpected(sql, old, expected)
  // An identical rule stays, so the price version of what it priced stays valid.
  if (old !== null && old.price === price && old.note === note) return fromRuleRow(old)
  if (old !== null) await sql.run('DELETE FROM price_rules WHERE id = ?', [old.id])
  const count = await sql.first<{ n: number }>('SELECT COUNT(*) AS n FROM price_rules')
  if (Number(count?.n) >= rulesMax) throw createTooManyRules(rulesMax)
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
  await sql.run(INSERT_RULE, { ...row })
  await raiseRevision(sql, REVISION)
  const made = fromRuleRow(row)
  const changes = toRuleChanges(old, made)
  await writeAudit(sql, { action: 'price.set', ...toSubject(made), changes })
  return made
}

/** A rule is never altered, so its version is the line that set it. */
async function requireExpected(sql: Sql, old: RuleRow | null, expected: Expected): Promise<void> {
  const isGone = old === null && expected !== null && expected !== 'absent'
  if (isGone) throw new ChangedMeanwhile(0, [])
  if (old === null) return
  const line = await sql.first<{ version: number | null }>(
    'SELECT MAX(number) AS version FROM audit WHERE subject_id = ?',
    [old.id],
  )
  await requireVersion(sql, { id: old.id, version: line?.version ?? 0 }, expected)
}

function toRuleChanges(old: RuleRow | null, rule: PriceRule) {
  if (old === null) return toChanges(null, toRuleFacts(rule))
  const before = fromRuleRow(old)
  return toChanges({ id: before.id, ...toRuleFacts(before) }, { id: rule.id, ...toRuleFacts(rule) })
}

function toSubject({ id, provider, model }: PriceRule) {
  return { subjectId: id, subjectName: `${provider} ${model}` }
}

/** Reports whether there was an import before. */
async function replaceImport(
  sql: Sql,
  { clock, writeAudit }: SettingsTools,
  imported: Omit<ImportedPrices, 'importedAt'> | null,
): Promise<boolean> {
  const row = await sql.first<ImportRow>(SELECT_IMPORT)
  const old = row === null ? null : fromImportRow(row)
  await sql.run('DELETE FROM price_import')
  if (imported !== null) {
    const { version, publishedAt, text, who } = imported
    const times = { published_at: publishedAt, imported_at: clock.now() }
    await sql.run(INSERT_IMPORT, { version, text, who, ...times })
  }
  if (isSameImport(old, imported)) return old !== null
  const changes = toChanges(old && toImportFacts(old), imported && toImportFacts(imported))
  const action = imported === null ? 'price.unset' : 'price.import'
  const subjectName = (imported ?? old)?.version ?? null
  await writeAudit(sql, { action, subjectId: null, subjectName, changes })
  return old !== null
}

type ImportedData = Pick<ImportedPrices, 'version' | 'publishedAt' | 'text'> | null

function isSameImport(one: ImportedData, other: ImportedData): boolean {
  if (one === null || other === null) return one === other
  const { version, publishedAt, text } = one
  return version === other.version && publishedAt === other.publishedAt && text === other.text
}

function fromRuleRow(row: RuleRow): PriceRule {
  return { ...toMembers(row, RULE_MEMBERS), price: parsePrice(row.price) }
}

function parsePrice(text: string): RulePrice {
  const price = JSON.parse(text) as RulePrice
  assert(price.kind === 'rates' || price.kind === 'multiplier', 'a stored price is of a known kind')
  return price
}

function fromImportRow(row: ImportRow): ImportedPrices {
  return toMembers(row, IMPORT_MEMBERS)
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
