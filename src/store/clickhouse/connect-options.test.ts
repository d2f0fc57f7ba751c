import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WeirError } from '../../core/weir-error.ts'
import { toCluster, toConnectOptions, toPlace } from './connect-options.ts'

test('a URL names server, user and database', () => {
  const url = 'clickhouse://we%40r:p%3Aw@ch.example.com/usage'
  assert.deepEqual(toConnectOptions(url), {
    url: 'http://ch.example.com:8123',
    username: 'we@r',
    password: 'p:w',
    database: 'usage',
  })
  assert.equal(toPlace(url), 'ch.example.com/usage')
  assert.equal(toCluster(url), null)
})

test('secure=true is HTTPS, on its own port unless one is named', () => {
  const urlOf = (url: string): unknown => toConnectOptions(url).url
  assert.equal(urlOf('clickhouse://u:p@ch/db?secure=true'), 'https://ch:8443')
  assert.equal(urlOf('clickhouse://u:p@ch:9999/db?secure=true'), 'https://ch:9999')
  assert.equal(urlOf('clickhouse://u:p@ch/db?secure=false'), 'http://ch:8123')
})

test('a cluster is named by letters, digits and underscores', () => {
  assert.equal(toCluster('clickhouse://u:p@ch/db?cluster=main_1'), 'main_1')
})

for (const [reason, url] of [
  ['it is no URL', 'ch.example.com:8123'],
  ['the user or the database is missing', 'clickhouse://ch.example.com/usage'],
  ['the user or the database is missing', 'clickhouse://u:p@ch.example.com'],
  ['its parameter sslmode is not known', 'clickhouse://u:p@ch/db?sslmode=require'],
  ['secure is yes', 'clickhouse://u:p@ch/db?secure=yes'],
  ['the name of its cluster is no name', "clickhouse://u:p@ch/db?cluster=a';"],
  ['ca: ENOENT', 'clickhouse://u:p@ch/db?secure=true&ca=/nowhere.pem'],
] as const) {
  test(`refused, without the password: ${url}`, () => {
    assert.throws(
      () => toConnectOptions(url),
      (error: unknown) => {
        assert.ok(error instanceof WeirError)
        assert.equal(error.code, 'invalid_config')
        assert.ok(error.message.includes(reason), error.message)
        assert.ok(!error.message.includes(':p@') && error.hint !== null)
        return true
      },
    )
  })
}
