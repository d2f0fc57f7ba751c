// Options that are the parameters of a question to the API, which validates them.

import type { Query } from './api.ts'
import { listOption, textOption } from './command.ts'
import type { CommandInput, CommandOption } from './command.ts'

/** By the API's name: `dim_key` is --dim-key. */
export type Parameters = Readonly<Record<string, CommandOption>>

const toOption = (name: string): string => name.replaceAll('_', '-')

export function toOptions(parameters: Parameters): Readonly<Record<string, CommandOption>> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, option]) => [toOption(name), option]),
  )
}

/** Those that were given. */
export function readQuery(input: CommandInput, names: readonly string[]): Query {
  const given = names.map((name) => {
    const option = toOption(name)
    return [name, listOption(input, option) ?? textOption(input, option)] as const
  })
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}
