// The first file in a backup: which Weir wrote it, when, and what the other files must be. Its size
// is fixed, so that it can be written last and still be read first.

import { z } from 'zod'
import { assert } from '../core/assert.ts'
import { WeirError } from '../core/weir-error.ts'

export const BACKUP_FORMAT = 'weir-backup/1'
export const MANIFEST_NAME = 'manifest.json'
export const MANIFEST_BYTES = 1024
/** In this order: whatever a usage record names was in the settings before it. */
export const BACKUP_FILES = ['usage.db', 'settings.db'] as const

export type BackupFileName = (typeof BACKUP_FILES)[number]

const fileSchema = z.strictObject({
  name: z.enum(BACKUP_FILES),
  bytes: z.int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

const manifestSchema = z.strictObject({
  format: z.literal(BACKUP_FORMAT),
  version: z.string().max(100),
  created_at: z.iso.datetime(),
  files: z.array(fileSchema).length(BACKUP_FILES.length),
})

export type BackupManifest = z.infer<typeof manifestSchema>

/** Padded with blanks, which JSON allows. */
export function toManifestBytes(manifest: BackupManifest): Buffer {
  const text = JSON.stringify(manifest, null, 2)
  assert(text.length < MANIFEST_BYTES, 'a manifest fits into its place')
  return Buffer.from(`${text.padEnd(MANIFEST_BYTES - 1)}\n`)
}

export function parseManifest(text: string): BackupManifest {
  const json = parseJson(text)
  const { format } = (json ?? {}) as { format?: unknown }
  if (typeof format === 'string' && format !== BACKUP_FORMAT && format.startsWith('weir-backup/')) {
    throw new WeirError(
      'invalid_argument',
      `The backup is from a newer Weir: its format is ${format.slice(0, 40)}; this Weir reads ${BACKUP_FORMAT}.`,
      { hint: 'Restore it with the Weir that wrote it, or a newer one.' },
    )
  }
  const parsed = manifestSchema.safeParse(json)
  const names = new Set(parsed.data?.files.map(({ name }) => name))
  if (parsed.success && names.size === BACKUP_FILES.length) return parsed.data
  throw new WeirError('invalid_argument', `The ${MANIFEST_NAME} of the backup is damaged.`, {
    hint: 'Use another backup: this one was changed after it was written.',
    cause: parsed.error,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
