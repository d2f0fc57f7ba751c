// What every store of teams must do: the teams themselves, who is in them, how changes are read.

import assert from 'node:assert/strict'
import type { MemberSource, TeamSettings } from '../../../src/core/teams/team.ts'
import { TEAM_CODEC } from '../../../src/resources/codecs.ts'
import type { SettingsStore } from '../../../src/store/settings/settings-store.ts'
import { ADA, BOB, lastLine, listAudit, MINUTE_MS, START_MS } from '../settings-scene.ts'
import type { Run } from '../settings-scene.ts'

export const PLAIN_TEAM: TeamSettings = { ...TEAM_CODEC.defaults, name: 'Search', slug: 'search' }

export const FULL_TEAM: TeamSettings = {
  name: 'Zürich, "quoted" 😀',
  slug: 'zuerich-1',
  parentId: null,
  costCenter: 'CC-4711',
  note: 'ranking and ads',
  allowedModels: ['acme/*', 'somewhere:acme/big-*'],
  allowedProviders: ['acme'],
  useCredentials: ['acme'],
  requiredDims: ['app'],
  rateLimitRpm: 600,
  keyDaysMax: 90,
  membersSeeTotals: true,
}

const NO_TEAM = 'team_0000000000000000'
const NOBODY = 'user_0000000000000000'
const REFUSED = 'invalid_argument'

async function createTeam(store: SettingsStore, slug: string, parentId: string | null = null) {
  return (await store.teams.create({ ...PLAIN_TEAM, name: slug, slug, parentId })).id
}

export function teamStoreContract(run: Run): void {
  run('a created team carries what was decided and is found by both names', async (scene) => {
    const { store, reopen } = scene
    const other = await reopen()
    for (const settings of [PLAIN_TEAM, FULL_TEAM]) {
      const team = await store.teams.create({ ...settings, slug: settings.slug.toUpperCase() })
      const { id, ...rest } = team
      assert.match(id, /^team_[0-9a-f]{16}$/)
      const own = { createdAt: START_MS, archivedAt: null, version: await lastLine(store) }
      assert.deepEqual(rest, { ...settings, ...own })
      assert.deepEqual(await other.teams.find({ id }), team)
      assert.deepEqual(await other.teams.find({ slug: settings.slug.toUpperCase() }), team)
    }
    const names = (await other.teams.list()).map(({ name }) => name)
    assert.deepEqual(names, [PLAIN_TEAM.name, FULL_TEAM.name])
  })

  run('an update changes what it names and nothing else', async ({ store }) => {
    const other = await store.teams.create({ ...PLAIN_TEAM, name: 'Ads', slug: 'ads' })
    let team = await store.teams.create(PLAIN_TEAM)
    for (const [name, value] of Object.entries({ ...FULL_TEAM, parentId: other.id })) {
      const changed = await store.teams.update(team.id, { [name]: value })
      assert.deepEqual(changed, { ...team, [name]: value, version: await lastLine(store) })
      assert.notEqual(changed.version, team.version, name)
      team = changed
    }
    assert.deepEqual(await store.teams.list(), [other, team])
    const lines = await listAudit(store)
    assert.deepEqual(await store.teams.update(team.id, { ...FULL_TEAM, parentId: other.id }), team)
    assert.deepEqual(await listAudit(store), lines)
    const stale = store.teams.update(team.id, { name: 'x' }, [team.version - 1])
    await assert.rejects(stale, { code: 'changed_meanwhile' })
  })

  run('a team that does not exist is answered with null', async ({ store }) => {
    assert.equal(await store.teams.find({ id: NO_TEAM }), null)
    assert.equal(await store.teams.find({ slug: 'nothing' }), null)
    assert.equal(await store.teams.update(NO_TEAM, { name: 'x' }), null)
    assert.equal(await store.teams.archive(NO_TEAM), null)
    assert.equal(await store.teams.restore(NO_TEAM), null)
    assert.equal(await store.teams.leave(NO_TEAM, NOBODY), null)
    assert.deepEqual(await store.teams.listMembers(NO_TEAM), [])
    assert.deepEqual(await listAudit(store), [])
  })

  run('a short name is that of one team, archived ones included', async ({ store }) => {
    const search = await createTeam(store, 'search')
    const ads = await createTeam(store, 'ads')
    await store.teams.archive(search)
    const taken = { code: REFUSED, message: /search already, which is archived/ }
    await assert.rejects(createTeam(store, 'Search'), taken)
    await assert.rejects(store.teams.update(ads, { slug: 'SEARCH' }), taken)
    await store.teams.update(search, { slug: 'search-old' })
    await store.teams.update(ads, { slug: 'search' })
  })

  departmentTests(run)

  run(
    'a team beyond the limit is refused, and archived ones count',
    async ({ store }) => {
      await store.teams.archive(await createTeam(store, 'search'))
      await assert.rejects(createTeam(store, 'ads'), { code: REFUSED, message: /1 teams/ })
    },
    { teamsMax: 1 },
  )

  run('who polls gets all when something changed, and else nothing', async ({ store, reopen }) => {
    const other = await reopen()
    const bob = await store.users.create(BOB)
    const id = await createTeam(store, 'search')
    let { revision } = await other.teams.readChanges(0)
    const changes: readonly (() => Promise<unknown>)[] = [
      () => store.teams.join({ teamId: id, userId: bob.id, role: 'lead', source: 'hand' }),
      () => store.teams.update(id, { name: 'Ranking' }),
      () => store.users.update(bob.id, { isDisabled: true }),
      () => store.users.update(bob.id, { isDisabled: false }),
      () => store.teams.replaceMemberships(bob.id, 'oidc', new Map([[id, 'lead']])),
      () => store.teams.leave(id, bob.id),
      () => store.teams.replaceMemberships(bob.id, 'oidc', new Map([[id, 'lead']])),
      () => store.teams.archive(id),
      () => store.teams.restore(id),
      () => store.users.remove(bob.id),
    ]
    const seen: number[] = []
    for (const change of changes) {
      await change()
      const read = await other.teams.readChanges(revision)
      seen.push(read.revision - revision)
      assert.equal(read.all === null, read.revision === revision)
      if (read.all !== null) assert.deepEqual(read.all.teams, await store.teams.list())
      revision = read.revision
    }
    // What was given by hand stays: nothing to read. Archiving ends a membership, too.
    assert.deepEqual(seen, [1, 1, 1, 1, 0, 1, 1, 2, 1, 1])
    assert.deepEqual((await other.teams.readChanges(revision)).all, null)
    const { all } = await other.teams.readChanges(0)
    assert.deepEqual([all?.teams.length, all?.members], [1, []])
  })
}

function departmentTests(run: Run): void {
  run('a department is a live team that is in none itself', async ({ store }) => {
    const company = await createTeam(store, 'company')
    const search = await createTeam(store, 'search', company)
    const ads = await createTeam(store, 'ads')
    const old = await createTeam(store, 'old')
    await store.teams.archive(old)
    const rows = [
      [ads, NO_TEAM, /no team team_0/],
      [ads, ads, /its own department/],
      [ads, old, /old is archived/],
      [ads, search, /search is in a department/],
      [company, ads, /company has teams of its own, such as search/],
    ] as const
    const lines = await listAudit(store)
    for (const [id, parentId, message] of rows) {
      const refused = { code: REFUSED, message, hint: /./ }
      await assert.rejects(store.teams.update(id, { parentId }), refused)
      if (id !== ads || parentId === ads) continue
      await assert.rejects(createTeam(store, 'more', parentId), refused)
    }
    assert.deepEqual(await listAudit(store), lines)
    await store.teams.update(search, { parentId: null })
    assert.equal((await store.teams.update(company, { parentId: ads }))?.parentId, ads)
  })

  run(
    'an archived team has nobody in it and is in no archived one when restored',
    async (scene) => {
      const { store, clock } = scene
      const { id: userId } = await store.users.create(BOB)
      const company = await createTeam(store, 'company')
      const search = await createTeam(store, 'search', company)
      await store.teams.join({ teamId: search, userId, role: 'member', source: 'hand' })
      const hint = { code: REFUSED, message: /such as search/, hint: /Archive its teams/ }
      await assert.rejects(store.teams.archive(company), hint)
      const archived = await store.teams.archive(search)
      assert.deepEqual([archived?.archivedAt, archived?.version], [START_MS, await lastLine(store)])
      assert.deepEqual(await store.teams.listMemberships(userId), [])
      const [, line] = await listAudit(store)
      const member = { person: BOB.email, role: 'member', source: 'hand' }
      const before = Object.entries(member).map(([name, value]) => [name, { before: value }])
      assert.deepEqual([line?.action, line?.changes], ['team.leave', Object.fromEntries(before)])
      clock.nowMs += MINUTE_MS
      assert.deepEqual(await store.teams.archive(search), archived)
      assert.ok(await store.teams.archive(company))
      const first = { code: REFUSED, message: /company is archived/, hint: /Restore it first/ }
      await assert.rejects(store.teams.restore(search), first)
      await store.teams.restore(company)
      const restored = await store.teams.restore(search)
      assert.deepEqual([restored?.archivedAt, restored?.createdAt], [null, START_MS])
      assert.deepEqual(await store.teams.listMembers(search), [])
    },
  )
}

export function membershipContract(run: Run): void {
  run('members are there with their persons, leads first', async ({ store, clock }) => {
    const [ada, bob] = [await store.users.create(ADA), await store.users.create(BOB)]
    const cleo = await store.users.create({ ...ADA, email: 'cleo@example.com' })
    const teamId = await createTeam(store, 'search')
    const fixed = { teamId, role: 'member', source: 'hand' } as const
    for (const { id: userId } of [bob, ada, cleo]) await store.teams.join({ ...fixed, userId })
    clock.nowMs += MINUTE_MS
    const lead = await store.teams.join({ ...fixed, userId: bob.id, role: 'lead' })
    const asLead = { ...fixed, userId: bob.id, role: 'lead', since: START_MS }
    assert.deepEqual(lead, asLead)
    const [line] = await listAudit(store)
    assert.deepEqual([line?.subjectId, line?.subjectName], [teamId, 'search'])
    const role = { before: 'member', after: 'lead' }
    assert.deepEqual(line?.changes, { person: { after: BOB.email }, role })
    await store.users.update(bob.id, { role: 'finance' })
    await store.users.update(cleo.id, { isDisabled: true })
    const members = await store.teams.listMembers(teamId)
    assert.deepEqual(members[0], { ...asLead, email: BOB.email, name: BOB.name, isDisabled: false })
    assert.deepEqual(
      members.map(({ email, isDisabled }) => [email, isDisabled]),
      [
        [BOB.email, false],
        [ADA.email, false],
        [cleo.email, true],
      ],
    )
    assert.deepEqual(await store.teams.leave(teamId, bob.id), lead)
    assert.equal(await store.teams.leave(teamId, bob.id), null)
    assert.deepEqual(await store.teams.listMemberships(bob.id), [])
  })

  run('nobody joins an archived team, or one that is not there', async ({ store }) => {
    const { id: userId } = await store.users.create(BOB)
    const old = await createTeam(store, 'old')
    await store.teams.archive(old)
    const fixed = { userId, role: 'member', source: 'hand' } as const
    const lines = await listAudit(store)
    const archived = { code: REFUSED, message: /old is archived/ }
    await assert.rejects(store.teams.join({ ...fixed, teamId: old }), archived)
    await assert.rejects(store.teams.join({ ...fixed, teamId: NO_TEAM }), { code: 'not_found' })
    const live = await createTeam(store, 'live')
    const nobody = store.teams.join({ ...fixed, teamId: live, userId: NOBODY })
    await assert.rejects(nobody, { code: 'not_found' })
    // A group may say so: the rest of what it says counts.
    const said = new Map([old, NO_TEAM, live].map((id) => [id, 'lead'] as const))
    await store.teams.replaceMemberships(userId, 'scim', said)
    const memberships = await store.teams.listMemberships(userId)
    assert.deepEqual(memberships, [
      { ...fixed, teamId: live, role: 'lead', source: 'scim', since: START_MS },
    ])
    assert.equal((await listAudit(store)).length, lines.length + 2)
  })

  run('what one source gave, the other does not take, and a hand may take over', async (scene) => {
    const { store } = scene
    const { id: userId } = await store.users.create(BOB)
    const ids: Record<string, string> = {}
    for (const name of ['hand', 'oidc', 'scim', 'new']) ids[name] = await createTeam(store, name)
    const teamId = (name: string): string => ids[name] ?? assert.fail(name)
    for (const source of ['hand', 'oidc', 'scim'] as const) {
      await store.teams.join({ teamId: teamId(source), userId, role: 'member', source })
    }
    const listTeams = async () => {
      const memberships = await store.teams.listMemberships(userId)
      const shown = (name: string) => {
        const found = memberships.find((each) => each.teamId === teamId(name))
        return found === undefined ? null : `${found.role} by ${found.source}`
      }
      return Object.keys(ids).map(shown)
    }
    const said = (...names: string[]) =>
      new Map(names.map((name) => [teamId(name), 'lead'] as const))
    await store.teams.replaceMemberships(userId, 'oidc', said('hand', 'scim', 'new'))
    assert.deepEqual(await listTeams(), ['member by hand', null, 'member by scim', 'lead by oidc'])
    const lines = await listAudit(store)
    await store.teams.replaceMemberships(userId, 'oidc', said('hand', 'scim', 'new'))
    for (const source of ['oidc', 'scim'] satisfies MemberSource[]) {
      await store.teams.join({ teamId: teamId('hand'), userId, role: 'lead', source })
    }
    assert.deepEqual(await listAudit(store), lines)
    await store.teams.join({ teamId: teamId('new'), userId, role: 'member', source: 'hand' })
    await store.teams.replaceMemberships(userId, 'oidc', new Map())
    await store.teams.replaceMemberships(userId, 'scim', new Map())
    assert.deepEqual(await listTeams(), ['member by hand', null, null, 'member by hand'])
  })

  run('a removed user is in no team, and the audit log says who left', async ({ store }) => {
    await store.users.create(ADA)
    const { id: userId } = await store.users.create(BOB)
    const teamId = await createTeam(store, 'search')
    await store.teams.join({ teamId, userId, role: 'lead', source: 'scim' })
    await store.users.remove(userId)
    assert.deepEqual(await store.teams.listMembers(teamId), [])
    assert.deepEqual((await store.teams.readChanges(0)).all?.members, [])
    const [, line] = await listAudit(store)
    assert.deepEqual([line?.action, line?.subjectName], ['team.leave', 'search'])
    assert.deepEqual(line?.changes['person'], { before: BOB.email })
    const gone = store.teams.replaceMemberships(userId, 'scim', new Map([[teamId, 'lead']]))
    await assert.rejects(gone, { code: 'not_found' })
  })
}
