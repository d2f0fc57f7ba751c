// Every setting. The WEIR_ variables, remedies in errors and docs/configuration.md come from here.

import { z } from 'zod'
import { parseDimPlaces } from '../core/dims.ts'
import { isMailAddress, toMailServer } from '../core/mail-address.ts'
import { parseRegion, REGION_CHARACTERS_MAX } from '../core/usage-event.ts'
import { parseNetworks } from './networks.ts'
import { SHAPES } from '../providers/directory.ts'
import { section, text, whole } from './schema-parts.ts'
import { credential, credentials } from './credential-schema.ts'
import { settings, usage } from './database-schema.ts'
import { agents, console, oidc, signIn } from './sign-in-schema.ts'
import { isPlainUrl, isPublicUrl } from './sign-in-urls.ts'
import { isLoopbackUrl, toProxyUrl } from './outgoing-proxy.ts'
import { telemetry } from './telemetry-schema.ts'

const PROVIDER_ID = /^[a-z][a-z0-9-]{0,31}$/
const HOST = /^[A-Za-z0-9._:-]{1,253}$/
const URL_CHARACTERS_MAX = 2048
const PATH_CHARACTERS_MAX = 1024
const LIST_CHARACTERS_MAX = 16_384
const MS_PER_HOUR = 3_600_000

function host(description: string) {
  return z
    .string()
    .regex(HOST)
    .default('127.0.0.1')
    .meta({ description, allowed: 'a host name or an IP address, without a port' })
}

/** Separated by commas; an empty one is none. */
function isHostList(text: string): boolean {
  const names = text.split(',').map((name) => name.trim())
  return names.every((name) => name === '' || HOST.test(name))
}

/** A file's path, relative to the working directory. */
function file(description: string, allowed = 'the path of a PEM file') {
  return z
    .string()
    .min(1)
    .max(PATH_CHARACTERS_MAX)
    .refine((path) => !path.includes('\0'))
    .meta({ description, allowed })
    .optional()
}

/** What the fetched prices decide should come from where it says. */
function isUpdateUrl(text: string): boolean {
  if (text.length > URL_CHARACTERS_MAX || !URL.canParse(text) || /[#\s\\]/.test(text)) return false
  const url = new URL(text)
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url))
  return isSafe && text.includes('://') && url.username === '' && url.password === ''
}

const proxy = section({
  host: host('The address the proxy listens on. 0.0.0.0 or :: lets other machines in.'),
  port: whole(7070, { min: 0, max: 65_535 }, "The proxy's port; 0 picks a free one."),
  publicUrl: text(isPublicUrl, {
    description:
      'The URL that callers use, where it is not host and port: of a load balancer, say. The console and the command line show it in calls to paste.',
    allowed: 'a URL without a path, such as https://ai.example.com',
  }).optional(),
  workers: whole(0, { min: 0, max: 256 }, 'Proxy processes; 0 starts one per core.'),
  connectionsMax: whole(
    10_000,
    { min: 1, max: 1_000_000 },
    "Callers' connections that a worker has open at once. For a further one, a connection without a call is closed; when all have one, it is answered 503. `/healthz` and `/readyz` are answered in any case.",
  ),
  headBytesMax: whole(
    65_536,
    { min: 512, max: 1_048_576 },
    'Size of a request line and its headers, in bytes.',
  ),
  headersMax: whole(128, { min: 8, max: 2000 }, 'Number of headers in a request or response.'),
  headTimeoutMs: whole(
    15_000,
    { min: 10, max: MS_PER_HOUR },
    'Time in which the headers of a request must arrive once it has started, in milliseconds.',
  ),
  bodyTimeoutMs: whole(
    60_000,
    { min: 10, max: MS_PER_HOUR },
    "Longest pause inside a request's body while Weir waits for it, in milliseconds.",
  ),
  idleTimeoutMs: whole(
    75_000,
    { min: 10, max: MS_PER_HOUR },
    "Time after which a caller's connection without a request is closed, in milliseconds.",
  ),
  tunnelIdleTimeoutMs: whole(
    MS_PER_HOUR,
    { min: 10, max: 24 * MS_PER_HOUR },
    'Time after which a WebSocket on which neither side has sent a byte is closed, in milliseconds.',
  ),
})

const api = section({
  host: host('The address the query API, the admin API and the console listen on.'),
  port: whole(7071, { min: 0, max: 65_535 }, "The API's port; 0 picks a free one."),
  allowedHosts: z.string().max(LIST_CHARACTERS_MAX).refine(isHostList).default('').meta({
    description:
      'Further host names that the API and the console are reached by, such as the name of a Docker or Kubernetes service. Loopback names, `api.host` and the host of `console.publicUrl` are allowed without; any other Host is answered 421.',
    allowed: 'host names or IP addresses separated by commas, without ports',
  }),
  trustedProxies: z
    .string()
    .max(LIST_CHARACTERS_MAX)
    .refine((text) => parseNetworks(text) !== null)
    .default('')
    .meta({
      description:
        "Reverse proxies in front of the API's port. From these alone, the client's address is read from `X-Forwarded-For` or `Forwarded`; limits of sign-in, sessions and the audit log use it.",
      allowed: 'IP addresses and networks such as 10.0.0.0/8, separated by commas',
    }),
  tls: section({
    cert: file(
      "The certificate for the API's port, with its intermediate certificates. Set it together with `api.tls.key` to turn TLS on there; it may be the file of `tls.cert`.",
    ),
    key: file('The private key of that certificate, unencrypted.'),
  }),
})

const status = section({
  host: host('The address that `weir proxy` answers `/healthz`, `/readyz` and `/metrics` on.'),
  port: whole(7072, { min: 0, max: 65_535 }, 'The port for that; 0 picks a free one.'),
})

const upstream = section({
  connectTimeoutMs: whole(
    10_000,
    { min: 10, max: MS_PER_HOUR },
    'Time for connecting to an upstream, TLS included, in milliseconds.',
  ),
  firstByteTimeoutMs: whole(
    600_000,
    { min: 10, max: 24 * MS_PER_HOUR },
    'Time until the first byte of a response, in milliseconds. Reasoning models may send nothing for minutes.',
  ),
  idleTimeoutMs: whole(
    15_000,
    { min: 10, max: MS_PER_HOUR },
    'How long an unused connection to an upstream is kept for reuse, in milliseconds.',
  ),
  streamIdleTimeoutMs: whole(
    600_000,
    { min: 10, max: 24 * MS_PER_HOUR },
    'Longest pause inside a response, in milliseconds.',
  ),
  connectionsMax: whole(
    1024,
    { min: 1, max: 1_000_000 },
    'Connections to one upstream that a worker has open at once.',
  ),
  httpsProxy: z
    .string()
    .max(URL_CHARACTERS_MAX)
    .refine((text) => toProxyUrl(text) !== null)
    .meta({
      description:
        'An HTTP proxy for https:// upstreams, by CONNECT. If unset, `HTTPS_PROXY` or `https_proxy` is used.',
      allowed: 'a URL such as http://user:password@proxy.example.com:3128',
      isSecret: true,
    })
    .optional(),
  noProxy: z
    .string()
    .max(LIST_CHARACTERS_MAX)
    .meta({
      description:
        'Upstreams that are reached without that proxy. If unset, `NO_PROXY` or `no_proxy` is used.',
      allowed:
        'hosts, .suffixes, addresses and blocks such as 10.0.0.0/8, separated by commas; a single * for all',
    })
    .optional(),
})

const tls = section({
  cert: file(
    "The certificate for the proxy's port, with its intermediate certificates. Set it together with `tls.key` to turn TLS on there.",
  ),
  key: file('The private key of that certificate, unencrypted.'),
})

const provider = z.strictObject({
  url: text(isPlainUrl, {
    description: 'The URL that calls are forwarded to; a base path is put in front of theirs.',
    allowed:
      'an http:// or https:// URL without query, fragment or credentials, such as https://ai.example.com/base',
  }).optional(),
  shape: z
    .enum(SHAPES)
    .meta({
      description: 'The API format that it speaks. Required for an id that is not built in.',
    })
    .optional(),
  ca: file('Certificates of authorities to trust for it, besides the usual ones.'),
  region: text((given) => parseRegion(given) === given, {
    description:
      'Where it processes calls, for the record and the price of calls that name no region themselves: `data-zone-eu` or `data-zone-us` for an Azure deployment of that type, `eu` behind a gateway of your own.',
    allowed: `a region in lower case such as eu or us-east5: letters a-z, digits and hyphens, at most ${REGION_CHARACTERS_MAX}`,
  }).optional(),
  credential,
  credentials,
})

const journal = section({
  fsync: z.enum(['always', 'interval', 'never']).default('interval').meta({
    description:
      'When lines are synced to disk. A killed process loses nothing in any case; a power cut can lose what was not synced.',
  }),
  recordFirst: z.boolean().default(false).meta({
    description:
      'Whether the last chunk of a response waits, for a fraction of a millisecond, until its call is on record. Otherwise a process killed at that moment leaves a call that the caller received in full, but without its cost.',
  }),
  fsyncIntervalMs: whole(
    100,
    { min: 1, max: 60_000 },
    'Time between two syncs with `journal.fsync: interval`, in milliseconds.',
  ),
  segmentBytesMax: whole(
    67_108_864,
    { min: 4096, max: 4_294_967_296 },
    'Size at which a new journal file is started, in bytes. On a small disk, a 64th of it.',
  ),
  segmentSecondsMax: whole(
    3600,
    { min: 1, max: 31_536_000 },
    'Age at which a new journal file is started, in seconds. Files are removed once they are stored.',
  ),
  bufferBytesMax: whole(
    16_777_216,
    { min: 4096, max: 1_073_741_824 },
    'How much a worker buffers in memory while its disk refuses writes, in bytes; beyond that, lines are dropped and counted.',
  ),
  refusalsPerMinute: whole(
    60,
    { min: 0, max: 1_000_000 },
    'How many refused calls of a key a worker records in a minute. Further ones are counted in `weir_refusals_unrecorded_total`, and a log line for each key and minute gives their number.',
  ),
  keepHours: whole(
    0,
    { min: 0, max: 8760 },
    'How many hours a journal is kept on the disk after it was stored. With PostgreSQL, as long as you may want to restore the database to an earlier moment: calls since then are stored again from the journals. While less than a sixteenth of the disk is free, none is kept.',
  ),
  onFull: z.enum(['go-on', 'refuse']).default('go-on').meta({
    description:
      'What calls do while the disk takes no journal lines, because it is full or broken: go on, though some may be lost to the record, or be refused with 503 `journal_full` before they are forwarded.',
  }),
})

const alerts = section({
  allowPrivateTargets: z.boolean().default(false).meta({
    description:
      'Whether webhooks may go to private, loopback and link-local addresses. Users who may set targets could then reach services inside your network.',
  }),
  anomalies: z.boolean().default(true).meta({
    description:
      'Whether to alert when a key, a model or a dimension value spends far more in a day than in its last four weeks.',
  }),
  anomalyMinUsd: whole(
    10,
    { min: 0, max: 1_000_000_000 },
    'Daily spend below which nothing is an anomaly, in USD.',
  ),
  smtp: section({
    url: text((given) => toMailServer(given) !== null, {
      description:
        'The mail server for alerts by e-mail. `smtps://` uses TLS from the start; `smtp://` switches to it if the server offers it.',
      allowed: 'a URL such as smtps://user:password@mail.example.com:465, without path or query',
      isSecret: true,
    }).optional(),
    from: text(isMailAddress, {
      description: 'The sender address of alerts by e-mail.',
      allowed: 'a single address such as weir@example.com',
    }).optional(),
  }),
})

export const configSchema = z.strictObject({
  dataDir: z
    .string()
    .min(1)
    .max(PATH_CHARACTERS_MAX)
    .refine((path) => !path.includes('\0'))
    .default('./data')
    .meta({
      description:
        'The directory of journals and databases; created with mode 0700. A relative path starts at the working directory.',
      allowed: 'the path of a directory',
    }),
  settings,
  usage,
  proxy,
  tls,
  api,
  status,
  upstream,
  tap: section({
    bytesMax: whole(
      33_554_432,
      { min: 4096, max: 1_073_741_824 },
      'How much a compressed response may be decoded to, in bytes, where that is a hundred times its size or more. Other responses are read for their usage whatever their length. The caller always gets all of it.',
    ),
  }),
  policy: section({
    bodyBytesMax: whole(
      33_554_432,
      { min: 4096, max: 1_073_741_824 },
      'Size limit for requests of keys with allowed models, both as sent and decoded, in bytes: the body is buffered until its models are known. A larger one is answered 413.',
    ),
    heldBytesMax: whole(
      268_435_456,
      { min: 4096, max: 68_719_476_736 },
      'How much a worker buffers of all such bodies at once, in bytes, with the windows of those that are being decoded; further ones are answered 503.',
    ),
    bodyPaceBytesMin: whole(
      65_536,
      { min: 1, max: 1_073_741_824 },
      'How much of such a body has to come within each `proxy.bodyTimeoutMs`, in bytes, unless it is whole before; a slower one is answered 400. At 1 only silence counts.',
    ),
  }),
  limits: section({
    onOutage: z.enum(['allow', 'refuse']).default('refuse').meta({
      description:
        'What to do with calls of keys with calls per minute or concurrent calls while the supervisor, which counts them, does not answer: let them through after 250 ms, or refuse them with 503 after 5 seconds. Where nodes share a database that does not answer, also with calls under blocking budgets beyond what the node has leased: each node applies the limits by itself, or refuses them.',
    }),
  }),
  estimates: section({
    enabled: z.boolean().default(true).meta({
      description:
        'Whether Weir counts the tokens from the text of a call that produced text but reported no usage. Such a call is marked as estimated.',
    }),
  }),
  providers: z.record(z.string().regex(PROVIDER_ID), provider).prefault({}),
  dims: section({
    onInvalid: z.enum(['reject', 'drop']).default('reject').meta({
      description:
        'What to do with a call with a malformed `X-SVC-Dims`: refuse it, or keep the valid pairs and count the others.',
    }),
    fromBody: text((given) => parseDimPlaces(given) !== null, {
      description:
        "Members of JSON request bodies that are dimensions, for clients that cannot send `X-SVC-Dims`: `metadata.user_id=user` takes Anthropic's. They fill in what header and key leave open, and are read for the record only: they are not required dimensions, and no budget blocks by them.",
      allowed:
        'up to 16 of member=dimension, separated by commas; members of members by a dot, none within another',
    }).optional(),
  }),
  journal,
  ledger: section({
    intervalMs: whole(
      200,
      { min: 10, max: 60_000 },
      'How often the ledger looks for new journal lines, in milliseconds.',
    ),
    batchLinesMax: whole(
      20_000,
      { min: 1, max: 100_000 },
      'Journal lines that are stored in one transaction. Fewer take less memory and more CPU.',
    ),
  }),
  retention: section({
    events: whole(
      400,
      { min: 1, max: 36_500 },
      'How long individual calls are kept, in days. Sums by day and month are kept forever.',
    ),
  }),
  prices: section({
    file: file(
      'Your own prices, in YAML or JSON: a list of what `weir prices set` takes. Prices set by the command take precedence over the file.',
      'the path of a YAML or JSON file',
    ),
    update: z.enum(['off', 'check', 'apply']).default('off').meta({
      description:
        'Whether Weir fetches newer price data once a day: not at all, to report that there is some, or to apply it. Changes that look like a mistake are never applied without a person.',
    }),
    updateUrl: z
      .string()
      .refine(isUpdateUrl)
      .default(
        'https://raw.githubusercontent.com/pydantic/genai-prices/refs/heads/main/prices/new_data/v2/data.json',
      )
      .meta({
        description:
          'Where `prices.update`, `weir prices update` and the console fetch price data; through the proxy of `upstream.httpsProxy`, if there is one.',
        allowed: 'an https:// URL without credentials; http:// only on this machine',
      }),
    updateTimeoutMs: whole(
      30_000,
      { min: 10, max: MS_PER_HOUR },
      'Time for fetching price data, redirects included, in milliseconds.',
    ),
  }),
  alerts,
  agents,
  signIn,
  oidc,
  console,
  telemetry,
  shutdown: section({
    drainSeconds: whole(
      30,
      { min: 0, max: 86_400 },
      'How long running calls may continue after SIGTERM or SIGINT, in seconds.',
    ),
  }),
  log: section({
    level: z
      .enum(['trace', 'debug', 'info', 'warn', 'error'])
      .default('warn')
      .meta({ description: 'The lowest level that is logged.' }),
  }),
})

/** One source, or all merged, once checked. config.ts checks what needs all sources together. */
export type CheckedConfig = z.output<typeof configSchema>
