// Every setting of Weir: its name, default, bounds and meaning. The environment variables, the faults'
// remedies and docs/configuration.md are all read from here, so nothing is described twice.

import { z } from 'zod'
import { isMailAddress, toMailServer } from '../core/mail-address.ts'
import { SHAPES } from '../providers/directory.ts'
import { section, whole } from './schema-parts.ts'
import { console, oidc, signIn } from './sign-in-schema.ts'
import { toProxyUrl } from './outgoing-proxy.ts'

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

/** A file's path; a relative one starts at the working directory. */
function file(description: string, allowed = 'the path of a PEM file') {
  return z
    .string()
    .min(1)
    .max(PATH_CHARACTERS_MAX)
    .refine((path) => !path.includes('\0'))
    .meta({ description, allowed })
    .optional()
}

/** An address that paths can be appended to. A query or credentials would be lost on the way, so neither is taken. */
export function isProviderUrl(text: string): boolean {
  if (text.length > URL_CHARACTERS_MAX || !URL.canParse(text) || /[?#\s\\]/.test(text)) return false
  const url = new URL(text)
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  return isHttp && text.includes('://') && url.username === '' && url.password === ''
}

const proxy = section({
  host: host('Where the proxy listens. 0.0.0.0 or :: lets other machines in.'),
  port: whole(7070, { min: 0, max: 65_535 }, "The proxy's port; 0 picks a free one."),
  workers: whole(0, { min: 0, max: 256 }, 'Proxy processes; 0 starts one per core.'),
  connectionsMax: whole(
    10_000,
    { min: 1, max: 1_000_000 },
    "Callers' connections a worker holds at once; one more is answered 503.",
  ),
  headBytesMax: whole(
    65_536,
    { min: 512, max: 1_048_576 },
    'Size of a request line with its headers, in bytes.',
  ),
  headersMax: whole(128, { min: 8, max: 2000 }, 'Number of headers in a head.'),
  headTimeoutMs: whole(
    15_000,
    { min: 10, max: MS_PER_HOUR },
    'Time in which a begun request head must arrive, in milliseconds.',
  ),
  bodyTimeoutMs: whole(
    60_000,
    { min: 10, max: MS_PER_HOUR },
    "Longest silence inside a request's body while Weir waits for it, in milliseconds.",
  ),
  idleTimeoutMs: whole(
    75_000,
    { min: 10, max: MS_PER_HOUR },
    "Time after which a caller's connection without a request is closed, in milliseconds.",
  ),
})

const api = section({
  host: host('Where the query API, the admin API and the console listen.'),
  port: whole(7071, { min: 0, max: 65_535 }, "The API's port; 0 picks a free one."),
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
    'Time until the first byte of an answer, in milliseconds. Reasoning models may be silent for minutes.',
  ),
  idleTimeoutMs: whole(
    15_000,
    { min: 10, max: MS_PER_HOUR },
    'How long an unused connection to an upstream is kept for reuse, in milliseconds.',
  ),
  streamIdleTimeoutMs: whole(
    600_000,
    { min: 10, max: 24 * MS_PER_HOUR },
    'Longest silence inside an answer, in milliseconds.',
  ),
  connectionsMax: whole(
    1024,
    { min: 1, max: 1_000_000 },
    'Connections to one upstream that a worker holds at once.',
  ),
  httpsProxy: z
    .string()
    .max(URL_CHARACTERS_MAX)
    .refine((text) => toProxyUrl(text) !== null)
    .meta({
      description:
        'An HTTP proxy that https:// upstreams are reached through, by CONNECT. Unset, `HTTPS_PROXY` or `https_proxy` is taken.',
      allowed: 'an address such as http://user:password@proxy.example.com:3128',
    })
    .optional(),
  noProxy: z
    .string()
    .max(LIST_CHARACTERS_MAX)
    .meta({
      description:
        'Upstreams that are reached directly all the same. Unset, `NO_PROXY` or `no_proxy` is taken.',
      allowed:
        'hosts, .suffixes, addresses and blocks such as 10.0.0.0/8, separated by commas; a single * for all',
    })
    .optional(),
})

const tls = section({
  cert: file(
    "The certificate of the proxy's port, with those between it and its authority. Together with `tls.key` it turns TLS on there.",
  ),
  key: file('The private key of that certificate, not encrypted.'),
})

const provider = z.strictObject({
  url: z
    .string()
    .refine(isProviderUrl)
    .meta({
      description: 'The address calls are forwarded to; a base path is put in front of theirs.',
      allowed:
        'an http:// or https:// address without query, fragment or credentials, such as https://ai.example.com/base',
    })
    .optional(),
  shape: z
    .enum(SHAPES)
    .meta({ description: 'How its bytes are read. Required for an id that is not built in.' })
    .optional(),
  ca: file('Certificates of authorities that are trusted for it beside the usual ones.'),
})

const journal = section({
  fsync: z.enum(['always', 'interval', 'never']).default('interval').meta({
    description:
      'When lines are forced to the disk. A killed process loses nothing either way; a power cut can lose what was not forced.',
  }),
  recordFirst: z.boolean().default(false).meta({
    description:
      'Whether the last piece of an answer waits, for a fraction of a millisecond, until its call is on record. Else a process that is killed in that moment leaves a call that its caller has whole, but without its cost.',
  }),
  fsyncIntervalMs: whole(
    100,
    { min: 1, max: 60_000 },
    'Time between two syncs with `journal.fsync: interval`, in milliseconds.',
  ),
  segmentBytesMax: whole(
    67_108_864,
    { min: 4096, max: 4_294_967_296 },
    'Size at which a journal file is ended and the next begun, in bytes.',
  ),
  segmentSecondsMax: whole(
    3600,
    { min: 1, max: 31_536_000 },
    'Age at which a journal file is ended and the next begun, in seconds. Stored files are removed.',
  ),
  bufferBytesMax: whole(
    16_777_216,
    { min: 4096, max: 1_073_741_824 },
    'What a worker keeps in memory while its disk refuses writes, in bytes; beyond it lines are dropped and counted.',
  ),
})

const alerts = section({
  allowPrivateTargets: z.boolean().default(false).meta({
    description:
      'Whether webhooks may go to private, loopback and link-local addresses. Whoever may set targets could then reach what lies inside your network.',
  }),
  anomalies: z.boolean().default(true).meta({
    description:
      'Whether an alert is raised when a key, a model or a dimension value spends far more in a day than in its last four weeks.',
  }),
  anomalyMinUsd: whole(
    10,
    { min: 0, max: 1_000_000_000 },
    'Spend of a day below which nothing is an anomaly, in USD.',
  ),
  smtp: section({
    url: z
      .string()
      .refine((text) => toMailServer(text) !== null)
      .meta({
        description:
          'The mail server that alerts by e-mail are handed to. `smtps://` speaks TLS from the start; `smtp://` turns to it where the server offers it.',
        allowed:
          'an address such as smtps://user:password@mail.example.com:465, without path or query',
      })
      .optional(),
    from: z
      .string()
      .refine(isMailAddress)
      .meta({
        description: 'The sender of alerts by e-mail.',
        allowed: 'a single address such as weir@example.com',
      })
      .optional(),
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
        'Where journals and databases live; created with mode 0700. A relative path starts at the working directory.',
      allowed: 'the path of a folder',
    }),
  proxy,
  tls,
  api,
  upstream,
  tap: section({
    bytesMax: whole(
      33_554_432,
      { min: 4096, max: 1_073_741_824 },
      'How much of one answer is read for its usage, in bytes. The caller gets all of it whatever its size.',
    ),
  }),
  policy: section({
    bodyBytesMax: whole(
      33_554_432,
      { min: 4096, max: 1_073_741_824 },
      'Size of a request of a key with allowed models, and again of what it decodes to, in bytes: its body is held until its models are known. A larger one is answered 413.',
    ),
    heldBytesMax: whole(
      268_435_456,
      { min: 4096, max: 68_719_476_736 },
      'What a worker holds of all such bodies at once, in bytes; one more is answered 503.',
    ),
  }),
  estimates: section({
    enabled: z.boolean().default(true).meta({
      description:
        'Whether the tokens of a call that produced text and reported none are counted from its texts. Such a call is marked as estimated.',
    }),
  }),
  providers: z.record(z.string().regex(PROVIDER_ID), provider).prefault({}),
  dims: section({
    onInvalid: z.enum(['reject', 'drop']).default('reject').meta({
      description:
        'What happens to a call with a malformed `X-SVC-Dims`: refuse it, or keep the good pairs and count the others.',
    }),
  }),
  journal,
  ledger: section({
    intervalMs: whole(
      200,
      { min: 10, max: 60_000 },
      'Pause before the ledger looks for new journal lines, in milliseconds.',
    ),
    batchLinesMax: whole(
      20_000,
      { min: 1, max: 100_000 },
      'Journal lines that go into the usage store in one transaction.',
    ),
  }),
  retention: section({
    events: whole(
      400,
      { min: 1, max: 36_500 },
      'How long single calls are kept, in days. Sums by day and month are kept for ever.',
    ),
  }),
  prices: section({
    file: file(
      "Prices of your own, in YAML or JSON: what `weir prices set` takes, as a list. The command's come before the file's.",
      'the path of a YAML or JSON file',
    ),
  }),
  alerts,
  signIn,
  oidc,
  console,
  shutdown: section({
    drainSeconds: whole(
      30,
      { min: 0, max: 86_400 },
      'How long running calls may go on after SIGTERM or SIGINT, in seconds.',
    ),
  }),
  log: section({
    level: z
      .enum(['trace', 'debug', 'info', 'warn', 'error'])
      .default('warn')
      .meta({ description: 'The least severe messages that are still logged.' }),
  }),
})

/** One source, or all merged, once checked. What no single source can tell is left to config.ts. */
export type CheckedConfig = z.output<typeof configSchema>
