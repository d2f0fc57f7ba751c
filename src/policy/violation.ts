// Whether a model ran that the key may not use: it cannot be undone, but it is recorded. Must stay
// true: an allowed name with only a date or version added is no violation, or no one would look.

import { isModelAllowed } from '../core/model-policy.ts'
import type { ModelPolicy } from '../core/model-policy.ts'
import type { Reading } from '../providers/provider.ts'
import { toSlug } from '../providers/provider.ts'
import type { CallPolicy } from './policy.ts'

export function findViolation(policy: CallPolicy, reading: Reading): string | null {
  const { models } = policy
  if (models === null || policy.provider.hasOwnLabels) return null
  const served = [reading.model, ...(reading.shares ?? []).map(({ model }) => model)]
  return served.find((model) => model !== null && !isFine(model, { ...policy, models })) ?? null
}

type Restricted = CallPolicy & { readonly models: ModelPolicy }

function isFine(model: string, { provider, models, names }: Restricted): boolean {
  // Without its maker it is the name at the maker's own service, which no policy here is about.
  if (provider.hasMakersInNames && !model.includes('/')) return true
  if (isModelAllowed(models, { providerId: provider.id, slug: toSlug(provider, model) }))
    return true
  return [...names].some((name) => toForms(name).some((form) => isVersionOf(form, model)))
}

/** The answer may leave out the service before the maker's name: `us.maker.model-v1:0`. */
const SERVICE = /^(?:[a-z]+\.)+/
const LATEST = /-latest$/

function toForms(name: string): string[] {
  const lower = name.toLowerCase()
  const last = lower.slice(lower.lastIndexOf('/') + 1)
  return [lower, last, last.replace(SERVICE, '')].flatMap((form) => [
    form,
    form.replace(LATEST, ''),
  ])
}

/** One name is the other plus a date or a version; which of them has it depends on the provider. */
function isVersionOf(asked: string, model: string): boolean {
  const served = model.toLowerCase()
  const [short, long] = asked.length <= served.length ? [asked, served] : [served, asked]
  return short !== '' && long.startsWith(short) && isVersion(long.slice(short.length))
}

// A single digit after a hyphen is the name of another model: `small-4` and `small-4-5`.
const VERSION_PART =
  /^(?:[-@:](?:\d{2,8}|v\d{1,3}(?:\.\d{1,3})?|latest|preview|default|exp|beta)|:\d)$/

/** `-2024-08-06`, `-20250514`, `-001`, `@20250514`, `-latest`, `-preview-05-20`, `-v1:0`. */
function isVersion(tail: string): boolean {
  return tail.split(/(?=[-@:])/).every((part) => part === '' || VERSION_PART.test(part))
}
