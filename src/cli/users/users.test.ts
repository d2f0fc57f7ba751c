import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { userLinkSchema, userSchema } from '../../api/contract.ts'
import type { UserLinkAnswer, UserRow } from '../../api/contract.ts'

test('a user is let in by a one-time link, and listed without it', async (context) => {
  const { weir, json } = createCommandLine(context)
  assert.match((await weir('users', 'list')).out, /no users yet/)
  const made = await json<UserLinkAnswer>(
    'users',
    'create',
    '--email',
    'Ada@Example.com',
    '--role',
    'admin',
  )
  const { user, path, expires_at: expiresAt } = userLinkSchema.parse(made)
  assert.deepEqual(
    [user.email, user.name, user.role, user.has_password],
    ['ada@example.com', 'ada', 'admin', false],
  )
  assert.match(path, /^\/welcome\?code=[\w-]{43}$/)
  assert.equal(expiresAt, '2026-02-03T12:00:00.000Z')
  const { out } = await weir('users', 'list')
  assert.match(out, /^ID +EMAIL +NAME +ROLE +STATUS +TEAMS +LAST SIGN-IN$/m)
  assert.match(out, /ada@example\.com +ada +admin +invited/)
  assert.ok(!out.includes(path.slice(14)))
  const again = await weir('users', 'link', 'ADA@example.com')
  assert.match(again.out, /^ {2}http:\/\/127\.0\.0\.1:7071\/welcome\?code=[\w-]{43}$/m)
  assert.ok(!again.out.includes(path))
})

test('a user is changed, disabled and removed, by address or id', async (context) => {
  const { weir, json } = createCommandLine(context)
  const create = ['users', 'create', '--role', 'viewer', '--email']
  const { user } = await json<UserLinkAnswer>(...create, 'grace@example.com', '--name', ' Grace ')
  assert.equal(user.name, 'Grace')
  const changed = await json<UserRow>('users', 'update', user.id, '--role', 'admin', '--disable')
  const expected = { ...user, role: 'admin', is_disabled: true, version: changed.version }
  assert.deepEqual(userSchema.parse(changed), expected)
  assert.ok(changed.version > user.version)
  const enabled = await weir('users', 'update', user.email, '--enable')
  assert.match(enabled.out, /is admin and may sign in/)
  await json('users', 'remove', user.email)
  assert.deepEqual(await json('users', 'list'), { users: [] })
})

test('the list has the teams of each user, and whom they lead', async (context) => {
  const { weir, json } = createCommandLine(context)
  const create = ['users', 'create', '--role', 'none', '--email']
  await json(...create, 'grace@example.com')
  for (const slug of ['search', 'ads']) {
    await json('teams', 'create', '--name', slug.toUpperCase(), '--slug', slug)
  }
  await json('teams', 'add', 'search', 'grace@example.com', '--lead')
  await json('teams', 'add', 'ads', 'grace@example.com')
  assert.match((await weir('users', 'list')).out, /grace +none +invited +ADS, SEARCH \(lead\) +/)
})

test('what is wrong is named, and nothing is written', async (context) => {
  const { weir, json } = createCommandLine(context)
  await json('users', 'create', '--email', 'ada@example.com', '--role', 'viewer')
  for (const [words, message] of [
    [['create', '--email', 'nobody', '--role', 'admin'], /--email must be an email address/],
    [['create', '--email', 'a@b.c', '--role', 'admn'], /--role must be .*admin/],
    [['create', '--email', 'ADA@example.com', '--role', 'admin'], /a user ada@example.com already/],
    [['update', 'ada@example.com'], /No change was given/],
    [['update', 'ada@example.com', '--enable', '--disable'], /exclude each other/],
    [['link', 'adda@example.com'], /Did you mean ada@example\.com\?/],
    [['remove', 'user_1'], /There is no user user_1/],
  ] as const) {
    const { code, err } = await weir('users', ...words)
    assert.notEqual(code, 0, err)
    assert.match(err, message)
  }
  const { users } = await json<{ users: UserRow[] }>('users', 'list')
  assert.deepEqual(
    users.map(({ email, role }) => [email, role]),
    [['ada@example.com', 'viewer']],
  )
})
