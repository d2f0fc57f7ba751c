// Models whose cost is not known, on SQLite.

import type { SqliteFile } from '../../sqlite/file.ts'
import { fromUnpricedRow, MODELS_MAX, SELECT_UNPRICED } from '../sql/unpriced.ts'
import type { UnpricedRow } from '../sql/unpriced.ts'
import type { UnpricedModel } from '../usage-upkeep.ts'

export function listUnpriced(file: SqliteFile): readonly UnpricedModel[] {
  return file.prepare<UnpricedRow>(SELECT_UNPRICED).all(MODELS_MAX).map(fromUnpricedRow)
}
