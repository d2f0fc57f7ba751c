// Rules about what stands in the program's files: time, environment, providers' names, sizes,
// words. Exceptions are listed here with their reasons, so that each is a decision and none a
// habit.

import { isCode, isProgram, isTest, linesMatching } from './checkout.ts'
import type { Checkout, CheckoutFile, Fault } from './checkout.ts'

export function checkEnvironment(checkout: Checkout): Fault[] {
  const pattern =
    /\bprocess\s*\??\.\s*env\b|\bprocess\[['"]env['"]\]|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/
  return checkout
    .filter((file) => isProgram(file) && !ENVIRONMENT_READERS.includes(file.path))
    .flatMap((file) => linesMatching(file, pattern))
    .map((place) => `${place}: only ${ENVIRONMENT_READERS.join(' and ')} read process.env`)
}

/** Settings; and credentials, which are in no configuration that is passed on. */
const ENVIRONMENT_READERS: readonly string[] = [
  'src/config/config.ts',
  'src/config/credential-source.ts',
]

export function checkTime(checkout: Checkout): Fault[] {
  const pattern = /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/
  return checkout
    .filter((file) => isProgram(file) && file.path !== 'src/core/clock.ts')
    .flatMap((file) => linesMatching(file, pattern))
    .map((place) => `${place}: time comes from a Clock (src/core/clock.ts)`)
}

interface WordException {
  readonly path: string
  readonly words: readonly string[]
  readonly reason: string
}

/** Words that are spelt like a provider's id and mean something else. */
export const PROVIDER_WORD_EXCEPTIONS: readonly WordException[] = [
  {
    path: 'src/core/usage-record.ts',
    words: ['gateway'],
    reason: 'a cost source: the amount came with the response',
  },
  {
    path: 'src/policy/refusal.ts',
    words: ['openai', 'gateway', 'google', 'ollama', 'bedrock'],
    reason: 'the shapes in which SDKs read an error, as providers declare them',
  },
  {
    path: 'src/cli/connect/tool-files.ts',
    words: ['anthropic', 'openai'],
    reason: 'the names that opencode has for them in its own settings',
  },
]

/** Shared code asks what a provider declares, never who it is. */
export function checkProviderIds(checkout: Checkout, ids: readonly string[]): Fault[] {
  return checkout
    .filter((file) => isProgram(file) && !/^src\/(?:providers|pricing)\//.test(file.path))
    .flatMap((file) => {
      const exception = PROVIDER_WORD_EXCEPTIONS.find(({ path }) => path === file.path)
      return ids
        .filter((id) => !exception?.words.includes(id))
        .flatMap((id) => linesMatching(file, new RegExp(`(['"\`])${id}\\1`)))
        .map((place) => `${place}: names a provider; only src/providers and src/pricing may`)
    })
}

export const LINES_MAX = 500

interface LengthException {
  readonly path: string
  readonly reason: string
}

export const LENGTH_EXCEPTIONS: readonly LengthException[] = []

export function checkLength(checkout: Checkout): Fault[] {
  const isListed = ({ path }: CheckoutFile): boolean =>
    LENGTH_EXCEPTIONS.some((exception) => exception.path === path)
  return checkout
    .filter((file) => isCode(file) && !isListed(file))
    .map((file) => ({ path: file.path, lines: file.text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > LINES_MAX)
    .map(
      ({ path, lines }) =>
        `${path}: ${lines} lines, at most ${LINES_MAX}; which is the second thing?`,
    )
}

/** A drawer with such a name collects what nobody thought about. */
const BANNED_NAMES = /^(?:utils?|helpers?|common|misc|types?|index|managers?|shared)$/
const BANNED_PARTS = /(?:^|-)(?:utils?|helpers?|misc)(?:-|$)/
const KEBAB = /^\.?[a-z0-9]+(?:[-.][a-z0-9]+)*$/

export function checkNames(checkout: Checkout): Fault[] {
  const files = checkout.filter((file) => isCode(file))
  return files.flatMap((file) => {
    const parts = file.path.replace(/(?:\.test)?(?:\.d)?\.[a-z]+$/, '').split('/')
    const banned = parts.filter((part) => BANNED_NAMES.test(part) || BANNED_PARTS.test(part))
    const odd = parts.filter((part) => !KEBAB.test(part))
    return [
      ...banned.map((part) => `${file.path}: "${part}" says nothing; name it after what it holds`),
      ...odd.map((part) => `${file.path}: "${part}" is not kebab-case`),
    ]
  })
}

/** A file of the program opens by saying what it is for. */
export function checkOpening(checkout: Checkout): Fault[] {
  return checkout
    .filter((file) => isCode(file) && !isTest(file) && !file.path.endsWith('.d.ts'))
    .filter((file) => !/^(?:#![^\n]*\n)?(?:\/\/ |\/\*\*? )\S/.test(file.text))
    .map((file) => `${file.path}: must open with what it is for and what must stay true`)
}

const COLUMNS_MAX = 100
/** A comment's line; what is behind code on its line is the formatter's. */
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*)/

/** Generated files take their comments from the API's descriptions. */
export function checkCommentWidth(checkout: Checkout): Fault[] {
  return checkout
    .filter((file) => isCode(file) && !file.path.startsWith('client/'))
    .flatMap((file) =>
      file.text
        .split('\n')
        .flatMap((line, index) =>
          COMMENT_LINE.test(line) && line.length > COLUMNS_MAX && !/\S{60}/.test(line)
            ? [`${file.path}:${index + 1}: ${line.length} columns, at most ${COLUMNS_MAX}`]
            : [],
        ),
    )
}
