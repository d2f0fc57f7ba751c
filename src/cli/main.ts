// Finds and runs the command, and turns what it throws into text; no other file here catches. Exit
// codes: 0 done, 1 failed or refused, 2 the command line is wrong.

import { VERSION } from '../core/version.ts'
import { systemClock } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import type { WeirErrorCode } from '../core/weir-error.ts'
import { printJson, toCommand, UsageError } from './command.ts'
import type { ListedCommand, Streams } from './command.ts'
import { COMMANDS } from './commands.ts'
import { formatCommandHelp, formatGroupHelp, formatProgramHelp } from './help.ts'
import { parseCall } from './parse-call.ts'
import { suggest } from './suggest.ts'

/** `argv` without the program; returns the exit code. */
export async function main(
  argv: readonly string[],
  streams: Streams,
  clock: Clock = systemClock,
): Promise<number> {
  try {
    return await run(argv, streams, clock)
  } catch (error) {
    const subject = findCommand(argv)?.path.join(' ')
    streams.err(formatError(error, { subject, isJson: hasFlag(argv, '--json') }))
    return isUsageError(error) ? 2 : 1
  }
}

/** These come from the API's own functions, and say what is wrong with an option. */
const USAGE_CODES: ReadonlySet<WeirErrorCode> = new Set([
  'invalid_parameter',
  'unknown_catalog_tuple',
])

function isUsageError(error: unknown): boolean {
  if (error instanceof UsageError) return true
  return error instanceof WeirError && USAGE_CODES.has(error.code)
}

async function run(argv: readonly string[], streams: Streams, clock: Clock): Promise<number> {
  const listed = findCommand(argv)
  if (listed === null) {
    streams.out(answerWithoutCommand(argv))
    return 0
  }
  const command = toCommand(listed, await listed.load())
  const words = argv.slice(command.path.length)
  if (hasFlag(words, '--help') || hasFlag(words, '-h')) {
    streams.out(formatCommandHelp(command))
    return 0
  }
  const call = parseCall(command, words)
  const config = call.values['config']
  const input = {
    ...call,
    isJson: call.values['json'] === true,
    configFile: typeof config === 'string' ? config : undefined,
    clock,
    out: streams.out,
    err: streams.err,
    columns: streams.columns,
  }
  const shown = await command.run(input)
  if (typeof shown === 'number') return shown
  if (input.isJson) printJson(input, shown.json)
  else streams.out(shown.text)
  return shown.code ?? 0
}

function findCommand(argv: readonly string[]): ListedCommand | null {
  const isCalled = ({ path }: ListedCommand): boolean => path.every((word, at) => argv[at] === word)
  return COMMANDS.find(isCalled) ?? null
}

/** The help and the version; everything else without a command is refused. */
function answerWithoutCommand(argv: readonly string[]): string {
  const [noun, verb] = argv
  if (noun === undefined || noun === '--help' || noun === '-h' || noun === 'help') {
    return formatProgramHelp(COMMANDS)
  }
  if (noun === '--version') {
    return hasFlag(argv, '--json') ? JSON.stringify({ version: VERSION }) : `weir ${VERSION}`
  }
  if (noun.startsWith('-')) {
    const hint =
      suggest(noun, ['--help', '--version']) ?? 'Options follow the command: weir keys list --json.'
    throw new UsageError(`There is no option ${noun} without a command.`, hint)
  }
  const group = COMMANDS.filter(({ path }) => path.length > 1 && path[0] === noun)
  if (group.length > 0 && (verb === undefined || verb.startsWith('-'))) {
    return formatGroupHelp(noun, group)
  }
  throw unknownCommand(group, argv)
}

function unknownCommand(group: readonly ListedCommand[], argv: readonly string[]): UsageError {
  const [noun = '', verb = ''] = argv
  const isVerbWrong = group.length > 0
  const prefix = isVerbWrong ? `weir ${noun} ` : 'weir '
  const wrong = isVerbWrong ? verb : noun
  const words = isVerbWrong ? group.map(({ path }) => path[1]) : COMMANDS.map(({ path }) => path[0])
  const known = [...new Set(words)].filter((word) => word !== undefined)
  const hint = suggest(wrong, known, prefix) ?? `Commands: ${prefix}${known.join(', ')}.`
  return new UsageError(`There is no command "${prefix}${wrong}".`, hint)
}

/** What follows `--` is not an option. */
function hasFlag(words: readonly string[], flag: string): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end === -1 ? words.length : end).includes(flag)
}

interface ErrorContext {
  readonly subject: string | undefined
  readonly isJson: boolean
}

/** Three lines: what failed, why, what to do next. */
function formatError(error: unknown, { subject, isJson }: ErrorContext): string {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof WeirError ? error.code : 'internal'
  const hint =
    error instanceof WeirError
      ? (error.hint ?? 'Run weir doctor to see what is wrong.')
      : 'This is a bug in Weir. Please report it together with these lines.'
  if (isJson) return JSON.stringify({ error: message, code, hint })
  const call = subject === undefined ? 'weir' : `weir ${subject}`
  return [`${call} failed (${code})`, message, hint].join('\n')
}
