// The name of a model in patterns, `maker/model`, given only a provider's id. Must stay true: it
// agrees with what the provider declares, without loading the hundred files that parse responses.

import type { SlugOf } from '../core/budget-index.ts'
import { hasMakersInNames } from '../providers/directory.ts'
import type { Config } from './config.ts'

export function createSlugOf({ providers }: Pick<Config, 'providers'>): SlugOf {
  return (id, model) =>
    hasMakersInNames({ id, shape: providers[id]?.shape }) ? model : `${id}/${model}`
}
