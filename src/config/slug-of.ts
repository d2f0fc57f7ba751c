// A model's name in patterns, `maker/model`, without loading the files that parse responses. Must
// stay true: it agrees with what the provider declares.

import type { SlugOf } from '../core/budget-index.ts'
import { hasMakersInNames } from '../providers/directory.ts'
import type { Config } from './config.ts'

export function createSlugOf({ providers }: Pick<Config, 'providers'>): SlugOf {
  return (id, model) =>
    hasMakersInNames({ id, shape: providers[id]?.shape }) ? model : `${id}/${model}`
}
