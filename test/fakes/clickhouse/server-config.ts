// The configuration of ClickHouse servers in tests: small caches and few threads, since they run
// beside the tests on the same cores. What a query or an insert means is left as it is.

/** Beside `default`, who has no password. */
export const USER = { name: 'weir', password: 'weir-test' }

/** Kept small: 16 MiB of marks are those of some hundred million rows. */
const SERVER_SETTINGS = {
  mark_cache_size: 16_777_216,
  index_mark_cache_size: 1_048_576,
  uncompressed_cache_size: 0,
  query_condition_cache_size: 1_048_576,
  compiled_expression_cache_size: 1_048_576,
  mmap_cache_size: 10,
  max_server_memory_usage: 2_000_000_000,
  background_pool_size: 2,
  background_schedule_pool_size: 2,
  background_common_pool_size: 2,
  background_fetches_pool_size: 1,
  background_move_pool_size: 1,
  asynchronous_metrics_update_period_s: 60,
}

export function toServerConfig(place: { readonly port: number; readonly users: string }): string {
  const elements = toElements({
    listen_host: '127.0.0.1',
    http_port: place.port,
    users_config: place.users,
    ...SERVER_SETTINGS,
  })
  return `<clickhouse>\n${elements}\n</clickhouse>\n`
}

/** Queries of tests run a few times each: to compile them, or take samples of them, never pays. */
const PROFILE = toElements({
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
  query_profiler_real_time_period_ns: 0,
  query_profiler_cpu_time_period_ns: 0,
})

/** By the name of a user, with the password of the others: XML of a profile. */
export type Profiles = Readonly<Record<string, string>>

const RIGHTS = '<networks><ip>127.0.0.1</ip></networks><quota>default</quota>'

export function toUsersConfig(profiles: Profiles, compilesQueries: boolean): string {
  const toUser = (name: string, password: string, profile: string): string =>
    `<${name}><password>${password}</password>${RIGHTS}<profile>${profile}</profile></${name}>`
  const others = Object.entries(profiles)
  return `<clickhouse>
  <profiles><default>${compilesQueries ? '' : PROFILE}</default>
    ${others.map(([name, profile]) => `<${name}>${profile}</${name}>`).join('\n    ')}
  </profiles>
  <quotas><default></default></quotas>
  <users>
    ${toUser('default', '', 'default')}
    ${toUser(USER.name, USER.password, 'default')}
    ${others.map(([name]) => toUser(name, USER.password, name)).join('\n    ')}
  </users>
</clickhouse>
`
}

function toElements(values: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(values).map(
    ([name, value]) =>
      `  <${name}>${String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}>`,
  )
  return lines.join('\n')
}
