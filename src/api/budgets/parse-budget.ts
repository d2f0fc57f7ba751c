// From bodies about budgets, which the contract has checked, to what the store takes.

import type { BudgetScope, BudgetSettings } from '../../core/budget.ts'
import type { Caller } from '../../core/caller.ts'
import { ownerNameOf } from '../../core/teams/team.ts'
import { BUDGET_CODEC } from '../../resources/codecs.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { ApiOptions, ApiServices } from '../api-options.ts'
import type { BudgetChange, NewTarget } from '../contract.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { requireTeam, requireUser } from '../teams/named-things.ts'
import { canSeeNetwork } from './shown-to.ts'

/** Throws `invalid_parameter` for an empty change. */
export function toBudgetChange(given: BudgetChange): Partial<BudgetSettings> {
  const { add_targets: _added, remove_targets: _removed, ...settings } = given
  if (Object.keys(given).length === 0) {
    throw invalidParameter('The body changes nothing: give at least one member.')
  }
  return BUDGET_CODEC.fromWire(settings)
}

/**
 * A team or a person by id, however it was named. Throws `invalid_parameter` where the scope names
 * a key, a provider, a team or a person that is not there.
 */
export async function resolveScope(
  scope: BudgetScope,
  sources: Pick<ApiServices, 'settings' | 'info' | 'teamDirectory'>,
): Promise<BudgetScope> {
  if (scope.kind === 'api_key' && !(await hasKey(scope.keyId, sources.settings))) {
    throw invalidParameter('scope names a key that is not there.')
  }
  const { providers } = sources.info
  if (scope.kind === 'provider' && !providers.includes(scope.providerId)) {
    const known = providers.join(', ')
    throw invalidParameter(`scope names a provider that is not there. There are: ${known}.`)
  }
  const fact = scope.kind === 'dim' ? ownerNameOf(scope.key) : null
  if (scope.kind !== 'dim' || fact === null) return scope
  const { id } =
    fact === 'team'
      ? requireTeam(await sources.teamDirectory.read(), scope.value, 'scope')
      : await requireUser(sources.settings, scope.value, 'scope')
  return { ...scope, value: id }
}

export interface TargetRules extends Pick<ApiOptions, 'checkTarget'> {
  /** The budget's present targets. */
  readonly known: readonly NewTarget[]
  readonly caller: Caller
}

/** Throws `invalid_parameter` with all faults. */
export async function checkTargets(
  targets: readonly NewTarget[],
  { known, caller, checkTarget }: TargetRules,
): Promise<void> {
  // A refusal would say which names resolve. Sending looks them up and checks again.
  const canResolve = canSeeNetwork(caller)
  const nameOf = ({ kind, address }: NewTarget): string => `${kind} ${address}`
  const taken = new Set(known.map(nameOf))
  const faults: string[] = []
  for (const target of targets) {
    if (taken.has(nameOf(target))) faults.push('A target is given that is there already.')
    taken.add(nameOf(target))
    const fault = await checkTarget(target.kind, target.address, { canResolve })
    if (fault !== null) faults.push(fault)
  }
  if (faults.length > 0) throw invalidParameter(faults.join(' '))
}

async function hasKey(id: string, { keys }: Pick<SettingsStore, 'keys'>): Promise<boolean> {
  return (await keys.list()).some((key) => key.id === id)
}
