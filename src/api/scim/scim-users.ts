// A user of Weir as SCIM's User. Must stay true: a user has one name and one address, whatever
// attributes they come in, and a password that is sent is not looked at.

import type { User } from '../../core/user.ts'
import type { UserStore } from '../../store/settings/user-store.ts'
import type { ApiServices } from '../api-options.ts'
import { newUserSchema } from '../contract.ts'
import { isObject, readFlag, readList, readText } from './scim-attributes.ts'
import type { Json } from './scim-attributes.ts'
import { ScimFault } from './scim-fault.ts'
import type { ScimKind, ScimResource } from './scim-kind.ts'
import { USER_SCHEMA } from './scim-schemas.ts'

const TEXT_CHARS_MAX = 256
/** What directories ask for by it. */
const EMAIL_TYPE = 'work'

export function createScimUsers({ settings, signIn }: ApiServices): ScimKind {
  const { users } = settings
  return {
    name: 'User',
    path: '/Users',
    schema: USER_SCHEMA,

    async create(given) {
      const { isDisabled, ...facts } = toFacts(given, null)
      await requireFree(users, facts, null)
      const role = signIn.defaultRole ?? 'none'
      const user = await users.create({ ...facts, role, passwordHash: null, subject: null })
      if (!isDisabled) return toResource(user)
      return toResource((await users.update(user.id, { isDisabled })) ?? user)
    },

    async find(id) {
      const user = await users.find({ id })
      return user === null ? null : toResource(user)
    },

    async list(lookup) {
      const { name, value = '' } = lookup ?? {}
      if (name !== 'userName' && name !== 'externalId') return (await users.list()).map(toResource)
      const by = name === 'userName' ? { userName: value } : { externalId: value }
      const user = await users.find(by)
      return user === null ? [] : [toResource(user)]
    },

    toBase: ({ body: { userName, externalId, active } }) => ({ userName, externalId, active }),

    async replace(id, given, expected) {
      const user = await users.find({ id })
      if (user === null) return null
      const facts = toFacts(given, user)
      await requireFree(users, facts, id)
      const changed = await users.update(id, facts, expected)
      return changed === null ? null : toResource(changed)
    },

    remove: (id, expected) => users.remove(id, expected),
  }
}

function toResource(user: User): ScimResource {
  const { id, version, createdAt, email, name, provisioned } = user
  const externalId = provisioned?.externalId ?? null
  return {
    id,
    version,
    createdAt,
    body: {
      schemas: [USER_SCHEMA],
      id,
      ...(externalId !== null && { externalId }),
      userName: userNameOf(user),
      displayName: name,
      name: { formatted: name },
      emails: [{ value: email, type: EMAIL_TYPE }],
      active: user.disabledAt === null,
    },
  }
}

function userNameOf({ provisioned, email }: User): string {
  return provisioned?.userName ?? email
}

/** What is left out stays as it is, but for `externalId`; of somebody new, there has to be more. */
function toFacts(given: Json, current: User | null) {
  const userName = readText(given, 'userName', TEXT_CHARS_MAX)
  if (userName === null) throw new ScimFault('invalidValue', 'userName is missing.')
  const email = toEmail(given, { userName, current })
  const isActive = readFlag(given, 'active') ?? current?.disabledAt ?? null
  const name = newUserSchema.shape.name.safeParse(
    readName(given, current === null) ?? current?.name ?? email.slice(0, email.indexOf('@')),
  )
  if (!name.success) throw toFault(name.error)
  return {
    email,
    name: name.data,
    isDisabled: typeof isActive === 'boolean' ? !isActive : isActive !== null,
    provisioned: { userName, externalId: readText(given, 'externalId', TEXT_CHARS_MAX) },
  }
}

interface Names {
  readonly userName: string
  readonly current: User | null
}

/** As `emails` say; else an address of before that is no user name; else the user name. */
function toEmail(given: Json, { userName, current }: Names): string {
  const emails = readList(given, 'emails')
  const listed =
    emails.find(({ primary }) => primary === true || primary === 'True') ??
    emails.find(({ type }) => type === EMAIL_TYPE) ??
    emails[0]
  const isOwn = current !== null && current.email !== userNameOf(current).toLowerCase()
  const schema = newUserSchema.shape.email
  const kept = isOwn ? current.email : userName
  const email = schema.safeParse(listed?.['value'] ?? kept)
  if (email.success) return email.data
  if (listed === undefined && current !== null) return current.email
  throw toFault(email.error)
}

/** Of a name that is there, one part alone does not say what the whole is now. */
function readName(given: Json, isNew: boolean): string | null {
  const name = isObject(given['name']) ? given['name'] : {}
  const parts = ['givenName', 'familyName'].flatMap(
    (part) => readText(name, part, TEXT_CHARS_MAX) ?? [],
  )
  const isWhole = parts.length === 2 || (isNew && parts.length === 1)
  return (
    readText(given, 'displayName', TEXT_CHARS_MAX) ??
    readText(name, 'formatted', TEXT_CHARS_MAX) ??
    (isWhole ? parts.join(' ') : null)
  )
}

async function requireFree(
  users: UserStore,
  { email, provisioned }: Pick<ReturnType<typeof toFacts>, 'email' | 'provisioned'>,
  id: string | null,
): Promise<void> {
  const { userName } = provisioned
  for (const by of [{ userName }, { email }]) {
    const other = await users.find(by)
    if (other === null || other.id === id) continue
    const named = Object.values(by).join()
    throw new ScimFault('uniqueness', `There is another user ${named}: ${other.id}.`)
  }
}

function toFault({ issues }: { readonly issues: readonly { readonly message: string }[] }) {
  return new ScimFault('invalidValue', issues.map(({ message }) => message).join('; '))
}
