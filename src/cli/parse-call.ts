// Parses options and arguments. Must stay true: nothing is guessed; the unexpected is refused.

import { parseArgs } from 'node:util'
import { SHARED_OPTIONS, UsageError } from './command.ts'
import type { Command, CommandOption, OptionValue } from './command.ts'
import { suggest } from './suggest.ts'

export interface Call {
  readonly values: Readonly<Record<string, OptionValue>>
  readonly arguments: readonly string[]
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

export function parseCall(command: Command, words: readonly string[]): Call {
  const options = { ...SHARED_OPTIONS, ...command.options }
  // Not strict: parseArgs would stop at its first fault, in its own words.
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const given = new Set<string>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    checkOption(token, { command, options, given })
    given.add(token.name)
  }
  checkRequired(command, given)
  checkArguments(command, positionals)
  return { values, arguments: positionals }
}

interface CheckContext {
  readonly command: Command
  readonly options: Readonly<Record<string, CommandOption>>
  readonly given: ReadonlySet<string>
}

function checkOption(token: OptionToken, { command, options, given }: CheckContext): void {
  const { name, rawName, value } = token
  const option = Object.hasOwn(options, name) ? options[name] : undefined
  if (option === undefined && name === 'url') {
    throw new UsageError(
      `weir ${command.path.join(' ')} cannot ask a remote Weir: there is no --url.`,
      'It uses the data directory. Run it on the machine where that is.',
    )
  }
  if (option === undefined) {
    const known = Object.keys(options).map((each) => `--${each}`)
    const hint = suggest(rawName, known) ?? helpHint(command)
    throw new UsageError(`There is no option ${rawName}.`, hint)
  }
  if (option.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`, helpHint(command))
  } else if (value === undefined || (value.startsWith('-') && token.inlineValue !== true)) {
    // `--name --value` is probably a mistake; `--name=--value` is how to mean it.
    throw new UsageError(
      `${rawName} needs a value.`,
      `Write ${rawName} ${option.value ?? 'VALUE'}.`,
    )
  }
  if (option.multiple !== true && given.has(name)) {
    throw new UsageError(`${rawName} was given twice.`, 'Give it once.')
  }
}

function checkRequired(command: Command, given: ReadonlySet<string>): void {
  const missing = Object.entries(command.options).flatMap(([name, option]) =>
    option.isRequired === true && !given.has(name) ? [`--${name} ${option.value ?? 'VALUE'}`] : [],
  )
  if (missing.length === 0) return
  throw new UsageError(`${missing.join(' and ')} must be given.`, `Usage: ${command.usage}`)
}

function checkArguments(command: Command, given: readonly string[]): void {
  const wanted = command.arguments
  if (given.length < wanted.length) {
    const missing = wanted.slice(given.length).join(' and ')
    throw new UsageError(`${missing} must be given.`, `Usage: ${command.usage}`)
  }
  if (given.length > wanted.length) {
    const surplus = given[wanted.length] as string
    throw new UsageError(`Unexpected argument "${surplus}".`, `Usage: ${command.usage}`)
  }
}

function helpHint(command: Command): string {
  return `Run weir ${command.path.join(' ')} --help to see its options.`
}
