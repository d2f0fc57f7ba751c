// The name by which patterns know a model, `maker/model`, for those who only have a provider's id. Must stay true: it
// says what the provider itself declares, without loading the hundred files that read bytes.

import type { SlugOf } from '../core/budget-index.ts'
import { hasMakersInNames } from '../providers/directory.ts'
import type { Config } from './config.ts'

export function createSlugOf({ providers }: Pick<Config, 'providers'>): SlugOf {
  return (id, model) =>
    hasMakersInNames({ id, shape: providers[id]?.shape }) ? model : `${id}/${model}`
}
