// What the API calls the parts of a key, a budget or a user, in the words of the forms. Must stay
// true: a name that is not known here is shown as it is, so that nothing is hidden.

const NAMES: Readonly<Record<string, string>> = {
  allowed_models: 'Allowed models',
  allowed_providers: 'Allowed providers',
  use_credentials: 'Use stored credentials of',
  allow_derived_tokens: 'May make derived tokens',
  default_dims: 'Default dimensions',
  locked_dims: 'Locked dimensions',
  required_dims: 'Required dimensions',
  rate_limit_rpm: 'Calls per minute',
  max_parallel: 'Parallel calls',
  expires_at: 'Expires',
  revoked_at: 'Revoked',
  old_secret_ends_at: 'Old secret ends',
  effective_from: 'Effective from',
  published_at: 'Published',
  limit_usd: 'Limit',
  excess_usd: 'Above the usual',
  blocking: 'Blocks calls',
  budget_id: 'Budget',
  has_password: 'Has a password',
  is_disabled: 'Disabled',
  oidc_issuer: 'Identity provider',
  oidc_subject: 'Subject there',
  agent: 'Browser',
}

export function toFieldName(id: string): string {
  return Object.hasOwn(NAMES, id) ? (NAMES[id] ?? id) : toName(id)
}

/** `effective_from` as `Effective from`. */
function toName(id: string): string {
  const words = id.replaceAll('_', ' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}
