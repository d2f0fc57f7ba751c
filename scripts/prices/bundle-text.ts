// The bundle as it is written: one model per line, since the file is long, and gets compared with
// the one before.

import type { Bundle } from '../../src/pricing/data/bundle.ts'
import type { ProviderCorrections } from '../../src/pricing/data/correction.ts'

export function toBundleText({ publishedAt, sources, providers, corrections }: Bundle): string {
  const models = Object.entries(providers).map(([id, list]) => [id, toLines(list, 6)] as const)
  const corrected = Object.entries(corrections.providers).map(([id, own]) => {
    return [id, toCorrectionLines(own)] as const
  })
  const members = [
    ['publishedAt', JSON.stringify(publishedAt)],
    ['sources', JSON.stringify(sources)],
    ['providers', toObject(models, 4)],
    [
      'corrections',
      toObject(
        [
          ['version', String(corrections.version)],
          ['providers', toObject(corrected, 6)],
        ],
        4,
      ),
    ],
  ] as const
  return `${toObject(members, 2)}\n`
}

function toCorrectionLines({ models, ...others }: ProviderCorrections): string {
  const members = Object.entries(others).map(([part, own]) => [part, JSON.stringify(own)] as const)
  const list = models === undefined ? [] : [['models', toLines(models, 10)] as const]
  return toObject([...list, ...members], 8)
}

function toObject(members: readonly (readonly [string, string])[], indent: number): string {
  const lines = members.map(([name, text]) => `${JSON.stringify(name)}: ${text}`)
  return `{${indented(lines, indent)}}`
}

function toLines(list: readonly unknown[], indent: number): string {
  const lines = list.map((each) => JSON.stringify(each))
  return `[${indented(lines, indent)}]`
}

function indented(lines: readonly string[], indent: number): string {
  const inner = lines.map((line) => `${' '.repeat(indent)}${line}`).join(',\n')
  return `\n${inner}\n${' '.repeat(indent - 2)}`
}
