// Every provider that Weir knows, one line each, and the shapes in which an operator can add more.

import { gateway, gatewayOperations } from './gateway.ts'
import { openai, openaiOperations } from './openai.ts'
import { defineProvider } from './provider.ts'
import type { ErrorShape, Operation, Provider } from './provider.ts'

export const PROVIDERS: readonly Provider[] = [gateway, openai]

export function findProvider(id: string): Provider | null {
  return PROVIDERS.find((provider) => provider.id === id) ?? null
}

interface ShapeDefinition {
  readonly errorShape: ErrorShape
  /** What is offered under a base path. */
  operations(base: string): readonly Operation[]
}

const SHAPE_DEFINITIONS: ReadonlyMap<string, ShapeDefinition> = new Map([
  ['gateway', { errorShape: gateway.errorShape, operations: gatewayOperations }],
  ['openai', { errorShape: openai.errorShape, operations: openaiOperations }],
])

export const SHAPES: readonly string[] = [...SHAPE_DEFINITIONS.keys()]

/** An operator may write the address with its version segment or leave that to the callers. */
const BASES = ['/v1', '']

export interface ConfiguredProvider {
  readonly id: string
  readonly shape: string
  readonly upstream: string
}

/** Null for a shape that does not exist. */
export function createProvider({ id, shape, upstream }: ConfiguredProvider): Provider | null {
  const definition = SHAPE_DEFINITIONS.get(shape)
  if (definition === undefined) return null
  const operations = BASES.flatMap((base) => definition.operations(base))
  return defineProvider({ id, upstream, errorShape: definition.errorShape, operations })
}
