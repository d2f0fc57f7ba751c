// What a command is. It writes to `out` and `err` only; main() turns what it throws into text.

import type { ParseArgsOptionDescriptor } from 'node:util'
import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'

export interface CommandOption extends ParseArgsOptionDescriptor {
  /** In the help: `N`, `WHEN`. */
  readonly value?: string
  readonly about?: string
  readonly isRequired?: boolean
}

/** `--json`. */
export function flag(about: string): CommandOption {
  return { type: 'boolean', about }
}

/** `--limit N`. */
export function option(value: string, about: string, more: OptionTraits = {}): CommandOption {
  return { type: 'string', value, about, ...more }
}

type OptionTraits = Pick<CommandOption, 'multiple' | 'isRequired'>

/** It may be given several times. */
export const REPEATED = { multiple: true } as const
export const REQUIRED = { isRequired: true } as const

export type OptionValue = string | boolean | readonly (string | boolean)[] | undefined

export interface Streams {
  /** One or more lines, without the final line break. */
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Undefined where `out` is not a terminal. */
  readonly columns?: number | undefined
}

export interface CommandInput extends Streams {
  readonly values: Readonly<Record<string, OptionValue>>
  readonly arguments: readonly string[]
  readonly isJson: boolean
  readonly configFile: string | undefined
  readonly clock: Clock
}

export interface ListedCommand {
  /** `['keys', 'create']`. */
  readonly path: readonly string[]
  readonly summary: string
  readonly load: () => Promise<CommandBody>
}

/** What is printed: JSON for programs, or text for people. */
export interface Shown {
  readonly json: unknown
  readonly text: string
  /** The exit code; left out: 0. */
  readonly code?: number
}

export interface CommandBody {
  /** Where it says more than its arguments and required options do. */
  readonly usage?: string
  readonly options?: Readonly<Record<string, CommandOption>>
  /** `['ID']`. */
  readonly arguments?: readonly string[]
  /** Returns what is to be printed, or the exit code where it has printed itself. */
  readonly run: (input: CommandInput) => Promise<Shown | number>
}

/** By the words that call them: `keys create`. */
export type Commands = Readonly<Record<string, CommandBody>>

export type Command = ListedCommand & Required<CommandBody>

export function toCommand({ path, ...listed }: ListedCommand, body: CommandBody): Command {
  const { options = {}, arguments: words = [], run } = body
  const required = Object.entries(options).filter(([, option]) => option.isRequired === true)
  const flags = required.map(([name, { value = 'VALUE' }]) => `--${name} ${value}`)
  const usage = body.usage ?? ['weir', ...path, ...words, ...flags, '[options]'].join(' ')
  return { ...listed, path, usage, options, arguments: words, run }
}

export const SHARED_OPTIONS: Readonly<Record<string, CommandOption>> = {
  config: option('FILE', 'the configuration file (default: weir.yaml)'),
  json: flag('print JSON, also for errors'),
  help: { ...flag('show this help'), short: 'h' },
}

/**
 * The command line is wrong, whatever is stored and configured: exit code 2. What failed or was
 * refused, although it was understood, is any other error: exit code 1.
 */
export class UsageError extends WeirError {
  constructor(message: string, hint: string) {
    super('invalid_argument', message, { hint })
    this.name = 'UsageError'
  }
}

/** What was written cannot be meant: exit code 2. */
export function invalidArgument(message: string, hint: string): UsageError {
  return new UsageError(message, hint)
}

/** Understood, but not as things are: exit code 1. */
export function refused(message: string, hint: string): WeirError {
  return new WeirError('invalid_argument', message, { hint })
}

/** Undefined when it was not given. */
export function textOption(input: CommandInput, name: string): string | undefined {
  const value = input.values[name]
  return typeof value === 'string' ? value : undefined
}

/** Undefined when it was not given. */
export function listOption(input: CommandInput, name: string): readonly string[] | undefined {
  const value = input.values[name]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined
}

export function printJson(input: CommandInput, value: unknown): void {
  input.out(JSON.stringify(value, null, 2))
}
