// Targets of alerts as commands add them. Must stay true: where one is refused, none is added.

import { NEW_TARGETS_MAX } from '../../api/budgets/budget-contract.ts'
import { addressFormFault } from '../../alerts/target-address.ts'
import type { TargetKind } from '../../core/alert.ts'
import { TARGET_KINDS } from '../../core/alert.ts'
import type { Api } from '../api.ts'
import { invalidArgument, listOption, refused } from '../command.ts'
import type { CommandInput, CommandOption } from '../command.ts'
import { toPrintable } from '../printable.ts'

export const TARGET_OPTIONS = {
  webhook: { type: 'string', multiple: true, value: 'URL', about: 'send alerts there, signed' },
  slack: {
    type: 'string',
    multiple: true,
    value: 'URL',
    about: 'send alerts to an incoming webhook of Slack',
  },
  email: { type: 'string', multiple: true, value: 'ADDRESS', about: 'send alerts by e-mail' },
} as const satisfies Record<TargetKind, CommandOption>

/** For commands that take them: an address that is well-formed may be refused as things are. */
export const TARGET_REFUSALS = {
  members: {},
  hints: {
    invalid_parameter:
      'Correct --webhook, --slack or --email, or leave it out; docs/budgets.md says what is allowed.',
  },
}

export interface NewTarget {
  readonly kind: TargetKind
  readonly address: string
}

export function readTargets(input: CommandInput): NewTarget[] {
  const targets = TARGET_KINDS.flatMap((kind) => {
    const addresses = (listOption(input, kind) ?? []).map((address) => address.trim())
    return [...new Set(addresses)].map((address) => ({ kind, address }))
  })
  for (const { kind, address } of targets) {
    const fault = addressFormFault(kind, address)
    if (fault !== null) throw invalidArgument(fault, `Give another --${kind}.`)
  }
  if (targets.length <= NEW_TARGETS_MAX) return targets
  throw invalidArgument(
    `${targets.length} targets were given; one call takes at most ${NEW_TARGETS_MAX}.`,
    'Give fewer, or let one receiver forward the alerts.',
  )
}

interface Adding {
  readonly path: `/v1/${string}`
  readonly targets: readonly NewTarget[]
  readonly known: readonly NewTarget[]
}

export interface Added<Answer> {
  /** One for each target. */
  readonly answers: readonly Answer[]
  /** Takes them away again. */
  readonly undo: () => Promise<void>
}

/** `known`: those that are there already. An answer is the target, or its budget with it last. */
export async function addTargets<Answer extends { readonly id: string }>(
  api: Api,
  { path, targets, known }: Adding,
): Promise<Added<Answer>> {
  for (const { kind, address } of targets) {
    if (!known.some((each) => each.kind === kind && each.address === address)) continue
    const what = `--${kind} ${toPrintable(address)}`
    throw refused(`${what} is a target already.`, 'Leave it out: each target gets an alert once.')
  }
  const answers: Answer[] = []
  const undo = async (): Promise<void> => {
    for (const id of answers.map(toTargetId)) await api.send(`DELETE /v1/targets/${id}`)
  }
  for (const target of targets) {
    try {
      answers.push(await api.send<Answer>(`POST ${path}`, target))
    } catch (error) {
      await undo()
      throw error
    }
  }
  return { answers, undo }
}

function toTargetId(answer: { readonly id: string; readonly targets?: unknown }): string {
  const own = answer.targets as readonly { readonly id: string }[] | undefined
  return own?.at(-1)?.id ?? answer.id
}

interface MadeTarget {
  readonly address: string
  readonly secret?: string | undefined
}

/** A webhook's secret is shown once, when it is made. */
export function describeSecrets(made: readonly MadeTarget[]): string[] {
  const signed = made.filter(({ secret }) => secret !== undefined)
  if (signed.length === 0) return []
  return [
    ...signed.flatMap(({ address, secret }) => [
      '',
      `Webhooks to ${toPrintable(address)} are signed with:`,
      '',
      `  ${secret}`,
    ]),
    '',
    'Save it now: it is not shown again. A receiver verifies alerts with the package standardwebhooks,',
    '  new Webhook(secret).verify(body, headers)',
    'or by hand, as docs/budgets.md describes.',
  ]
}
