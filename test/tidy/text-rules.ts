// Rules about words that must not be committed, and about links that must lead somewhere.

import path from 'node:path'
import { isCode, withoutComments } from './checkout.ts'
import type { Checkout, CheckoutFile, Fault } from './checkout.ts'

function linesOf(file: CheckoutFile, isFault: (line: string) => boolean): string[] {
  const lines = file.text.split('\n')
  return lines.flatMap((line, index) => (isFault(line) ? [`${file.path}:${index + 1}`] : []))
}

// The marks are spelt with a class, so that this file does not find itself.
const TO_DO = /\b(?:TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/
const ISSUE = /#\d+/

export function checkToDos(checkout: Checkout): Fault[] {
  return checkout
    .filter(isCode)
    .flatMap((file) => linesOf(file, (line) => TO_DO.test(line) && !ISSUE.test(line)))
    .map((place) => `${place}: work left over needs an issue's number beside it`)
}

const DISABLED = /(?:oxlint|eslint)-disabl[e]|@ts-(?:ignor[e]|expect-erro[r]|nochec[k])/
const REASON = / -- \S|@ts-expect-error:? \S/

export function checkDisabledRules(checkout: Checkout): Fault[] {
  return checkout
    .filter(isCode)
    .flatMap((file) => linesOf(file, (line) => DISABLED.test(line) && !REASON.test(line)))
    .map((place) => `${place}: a rule that is switched off needs its reason after " -- "`)
}

const HOME = /(?:^|[\s'"`=(:])\/(?:home|Users)\/[a-z]|(?:^|[\s'"`=(:])\/root\//i
const REGISTRY =
  /"resolved":\s*"https?:|^\s*(?:@[\w-]+:)?registry\s*=|\b(?:npm|registry)\.[a-z0-9-]+\.(?:org|com|net|io|dev)\b/

/** Where someone works and where they download from is theirs, not the project's. */
export function checkPlaces(checkout: Checkout, topFolder: string): Fault[] {
  const isOwnPath = (line: string): boolean => isLongPath(topFolder) && line.includes(topFolder)
  return checkout
    .flatMap((file) =>
      linesOf(file, (line) => HOME.test(line) || REGISTRY.test(line) || isOwnPath(line)),
    )
    .map((place) => `${place}: names a folder of somebody's machine or a package registry`)
}

/** A checkout at `/app` would find itself in every address. */
function isLongPath(folder: string): boolean {
  return folder.split(path.sep).filter((part) => part !== '').length > 1
}

const LINK = /\[[^\]\n]*\]\(([^)\s]+)\)/g

export function checkLinks(checkout: Checkout): Fault[] {
  const files = new Map(checkout.map((file) => [file.path, file]))
  const folders = new Set(checkout.flatMap((file) => foldersAbove(file.path)))
  const pages = checkout.filter((file) => file.path.endsWith('.md'))
  return pages.flatMap((page) =>
    [...withoutCode(page.text).matchAll(LINK)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return []
      const [target = '', anchor] = link.split('#', 2)
      const full =
        target === '' ? page.path : path.posix.join(path.posix.dirname(page.path), target)
      const file = files.get(full)
      if (file === undefined && !folders.has(full.replace(/\/$/, ''))) {
        return [`${page.path}: the link ${link} leads nowhere`]
      }
      if (anchor === undefined || file === undefined || anchorsOf(file.text).includes(anchor)) {
        return []
      }
      return [`${page.path}: ${full} has no heading for the link ${link}`]
    }),
  )
}

const DOCS_LINK = /(?:docs="|\/docs\/)([\w/-]+?)(?:\.html)?(?:#([\w-]+))?"/g

/** Of the console's pages to the documentation, `docs="budgets#thresholds"`. */
export function checkDocsLinks(checkout: Checkout): Fault[] {
  const texts = new Map(checkout.map(({ path: file, text }) => [file, text]))
  return checkout
    .filter((file) => /^console\/.*\.(?:tsx|html)$/.test(file.path))
    .flatMap((file) =>
      [...file.text.matchAll(DOCS_LINK)].flatMap(([, page = '', anchor]) => {
        const text = texts.get(`docs/${page.replace(/(?:^|(?<=\/))index$/, 'README')}.md`)
        const isThere =
          text !== undefined && (anchor === undefined || anchorsOf(text).includes(anchor))
        return isThere || file.path === 'console/docs.html'
          ? []
          : [`${file.path}: there is no page or heading docs/${page}${anchor ? `#${anchor}` : ''}`]
      }),
    )
}

function foldersAbove(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')
}

/** As a forge makes them: lower case, punctuation dropped, blanks as hyphens. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#{1,6} +(.+)$/gm)]
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  )
}

/** Words that had to be looked up in a glossary, and what to write instead. */
const REPLACED_WORDS: ReadonlyMap<string, string> = new Map([
  ['told', 'reported, sent'],
  ['hear', 'receive, on…'],
  ['hears', 'receives'],
  ['heard', 'received'],
  ['unheard', 'unreported'],
  ['news', 'status, update'],
  ['seat', 'slot'],
  ['seats', 'slots'],
  ['gate', 'limiter'],
  ['gates', 'limiters'],
  ['gatekeeper', 'limit bank'],
  ['visit', 'reservation'],
  ['visits', 'reservations'],
  ['hold', 'buffer, lock, keep'],
  ['holds', 'contains, applies'],
  ['held', 'buffered, locked, pending, in force'],
  ['holder', 'owner'],
  ['holding', 'keeping'],
  ['sweep', 'deadline'],
  ['sweeps', 'deadlines'],
  ['sweeper', 'deadlines'],
  ['apiece', 'per unit'],
  ['dearest', 'most expensive'],
  ['deed', 'action'],
  ['deeds', 'actions'],
  ['anew', 'again'],
  ['breathe', 'nothing'],
])
const REPLACED_PAIRS: ReadonlyMap<string, string> = new Map([
  ['give way', 'lower priority'],
  ['gave way', 'lower priority'],
  ['let go', 'release'],
  ['fold back', 'checkpoint'],
])

/** Spelt like a setting or a field of an answer, which keep their names. */
const KEPT_IDENTIFIERS: ReadonlySet<string> = new Set([
  'heldBytesMax',
  'policyHeldBytesMax',
  'held_lines',
  'held_calls',
])

const IDENTIFIER = /[A-Za-z_$][\w$]*/g

/** Names in the code, by the words that they are made of. */
export function checkIdentifiers(checkout: Checkout): Fault[] {
  return checkout.filter(isCode).flatMap((file) =>
    blankTexts(file.text)
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(IDENTIFIER)].flatMap(([name]) => {
          const instead = KEPT_IDENTIFIERS.has(name) ? null : findReplacement(name)
          return instead === null ? [] : [`${file.path}:${index + 1}: ${name}; write ${instead}`]
        }),
      ),
  )
}

/** `openHeldPort` as `open held port`. */
function findReplacement(name: string): string | null {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _$]+/)
  for (const [index, word] of words.entries()) {
    const pair = `${word} ${words[index + 1]}`
    const instead = REPLACED_WORDS.get(word) ?? REPLACED_PAIRS.get(pair)
    if (instead !== undefined) return instead
  }
  return null
}

const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`|\/\/[^\n]*|\/\*[^]*?\*\//g

/** Comments and texts blanked out, line for line; what a template puts in goes with it. */
function blankTexts(text: string): string {
  return text.replaceAll(TEXT, (token) => token.replaceAll(/[^\n]/g, ' '))
}

const ODD_PHRASES =
  /\b(?:g(?:ive|ives|iven|ave) way|apiece|dearest|deeds?|anew|gatekeeper|cannot be made out|made out|twice is as once|a Weir elsewhere|let(?:s|ting)? go of|fold(?:s|ed|ing)? back|hear[sd]? of|the gate|in good order)\b/i

/** What people read on the console's screens and in the terminal. */
export function checkScreenTexts(checkout: Checkout): Fault[] {
  return checkout
    .filter((file) => /^(?:src\/cli|console\/src)\//.test(file.path) && isCode(file))
    .flatMap((file) => {
      const lines = withoutComments(file.text).split('\n')
      return lines.flatMap((line, index) => {
        const phrase = ODD_PHRASES.exec(line)?.[0]
        return phrase === undefined ? [] : [`${file.path}:${index + 1}: "${phrase}"`]
      })
    })
    .map((place) => `${place}; use a common word`)
}
