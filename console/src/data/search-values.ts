// Reads the values of an address's search part. Must stay true: what cannot be understood is left
// out rather than refused, for people edit addresses by hand and follow old links.

/** As the router gives it: names and texts; a name that is there several times has a list. */
export type RawSearch = Readonly<Record<string, unknown>>

const TEXT_CHARS_MAX = 512
/** As many as the API takes of any filter. */
const TEXTS_MAX = 50

/** Of a name that is there several times, the last. */
export function parseText(given: unknown): string | undefined {
  const value: unknown = Array.isArray(given) ? given.at(-1) : given
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text === '' || text.length > TEXT_CHARS_MAX ? undefined : text
}

/** Every text once, in its order; undefined where there is none. */
export function parseTexts(value: unknown, max = TEXTS_MAX): readonly string[] | undefined {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = new Set(values.map(parseText).filter((text) => text !== undefined))
  return texts.size === 0 ? undefined : [...texts].slice(0, max)
}

export function parseChoice<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === value)
}

/** A whole number from 1. */
export function parseCount(value: unknown, max: number): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number)) return undefined
  return number >= 1 && number <= max ? number : undefined
}

export function parseFlag(value: unknown): true | undefined {
  return value === true || value === 'true' || value === '1' ? true : undefined
}

/** A path on this host: anything else would let a link send people elsewhere after signing in. */
export function parseOwnPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value)) return undefined
  return value.includes('\\') ? undefined : value
}

/** Without the names that have no value, so that they do not show up in the address. */
export function compact<Search extends object>(search: Search): Search {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined),
  ) as Search
}

type Parsers = Readonly<Record<string, (value: unknown) => unknown>>

/** What an address says, by a parser for each of its names. */
export function createSearch<const Of extends Parsers>(parsers: Of) {
  return (raw: RawSearch): { readonly [Name in keyof Of]?: ReturnType<Of[Name]> } => {
    const values = Object.entries(parsers).map(([name, parse]) => [name, parse(raw[name])] as const)
    return compact(Object.fromEntries(values) as { [Name in keyof Of]?: ReturnType<Of[Name]> })
  }
}

/** For `createSearch`: one of these. */
export function oneOf<Choice extends string>(choices: readonly Choice[]) {
  return (value: unknown): Choice | undefined => parseChoice(value, choices)
}

/**
 * The router merges a parser's result over the raw search, so what the parser left out would show
 * through. Here every name of the address is there, with undefined where the parser gave none.
 */
export function readStrictly<Search extends object>(
  parse: (raw: RawSearch) => Search,
): (raw: RawSearch) => Search {
  return (raw) => {
    const nothing = Object.fromEntries(Object.keys(raw).map((name) => [name, undefined]))
    return { ...nothing, ...parse(raw) }
  }
}

/** `?a=1&b=x&b=y` as names with texts and lists. The router's own parser quotes texts. */
export function parseSearchText(text: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(text)
  return Object.fromEntries(
    Array.from(new Set(parameters.keys()), (name) => {
      const [first = '', ...more] = parameters.getAll(name)
      return [name, more.length === 0 ? first : [first, ...more]]
    }),
  )
}

export function toSearchText(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const each of values) {
      const isText = typeof each === 'string' || typeof each === 'number' || each === true
      if (isText && each !== '') parameters.append(name, String(each))
    }
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** An address within the console, for `href` props of ui/. */
export function toHref(path: string, search: object = {}): string {
  return `${path}${toSearchText({ ...search })}`
}
