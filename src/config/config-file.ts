// Reads weir.yaml. Faults are returned, not thrown, so that none hides one of the environment.

import path from 'node:path'
import type { Document, Node, Pair } from 'yaml'
import type { ConfigFault } from './config-error.ts'
import type { OriginOf } from './schema-faults.ts'
import { knownKeysAt } from './settings.ts'
import { loadYaml, readSmallFile } from './small-file.ts'

const FILE_BYTES_MAX = 1_048_576
// Enough for a file written by hand; aliases of aliases could grow without limit.
const ALIASES_MAX = 100

export interface ConfigSource {
  readonly input: unknown
  readonly faults: readonly ConfigFault[]
  readonly originOf: OriginOf
}

export const NO_SOURCE: ConfigSource = { input: {}, faults: [], originOf: () => '' }

export interface ConfigFileOptions {
  readonly cwd: string
  readonly file: string
  /** False for the default name, which need not exist. */
  readonly isRequired: boolean
}

export function readConfigFile(options: ConfigFileOptions): ConfigSource {
  const { file } = options
  const found = readSmallFile(path.resolve(options.cwd, file), {
    bytesMax: FILE_BYTES_MAX,
    remedy: 'create it, or leave out --config and WEIR_CONFIG',
  })
  if (found.kind === 'read') return parseConfigFile(found.text, file)
  return found.kind === 'absent' && !options.isRequired ? NO_SOURCE : faulty(file, found.fault)
}

function faulty(file: string, text: string): ConfigSource {
  return { ...NO_SOURCE, faults: [{ subject: '', origin: file, text }] }
}

export function parseConfigFile(text: string, file: string): ConfigSource {
  const { LineCounter, parseDocument } = loadYaml()
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const originAt = (offset: number): string => `${file}:${lineCounter.linePos(offset).line}`
  const broken = [...document.errors, ...document.warnings]
  if (broken.length > 0) {
    const faults = broken.map((error) => ({
      subject: '',
      origin: originAt(error.pos[0]),
      text: `is not valid YAML: ${firstLine(error.message)}`,
    }))
    return { ...NO_SOURCE, faults }
  }
  const originOf: OriginOf = (at, isKey) => {
    const offset = offsetOf(document, at, isKey)
    return offset === null ? file : originAt(offset)
  }
  try {
    return { input: toInput(document), faults: [], originOf }
  } catch {
    // Too many aliases is all that can still go wrong here.
    return faulty(file, `uses YAML aliases more than ${ALIASES_MAX} times; write the values out`)
  }
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? ''
}

function toInput(document: Document): unknown {
  const data: unknown = document.toJS({ maxAliasCount: ALIASES_MAX }) ?? {}
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data
  // `proxy:` with every line below it commented out is an empty section, not a fault.
  const isEmptySection = ([key, value]: [string, unknown]): boolean =>
    value === null && (knownKeysAt([key]).length > 0 || key === 'providers')
  return Object.fromEntries(Object.entries(data).filter((entry) => !isEmptySection(entry)))
}

/** Where a path's value or key starts; null when it is not in the file. */
function offsetOf(document: Document, at: readonly PropertyKey[], isKey: boolean): number | null {
  const { isMap, isScalar } = loadYaml()
  let node: unknown = document.contents
  let pair: Pair | undefined
  for (const key of at) {
    if (!isMap(node)) break
    pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key))
    if (pair === undefined) return null
    node = pair.value
  }
  const wanted = isKey || node === null ? pair?.key : node
  return (wanted as Node | undefined)?.range?.[0] ?? null
}
