// The settings of telemetry, a part of schema.ts.

import { z } from 'zod'
import { DIM_KEY } from '../../core/dims.ts'
import { parseOtlpHeaders } from '../otlp-headers.ts'
import { section, text } from './parts.ts'
import { isPlainUrl } from '../sign-in-urls.ts'

const HEADERS_CHARACTERS_MAX = 16_384
export const METRIC_DIMS_MAX = 8

function isDimList(text: string): boolean {
  const names = text.split(',').map((name) => name.trim())
  return (
    text === '' || (names.length <= METRIC_DIMS_MAX && names.every((name) => DIM_KEY.test(name)))
  )
}

export const telemetry = section({
  otlpUrl: text(isPlainUrl, {
    description:
      'The OpenTelemetry collector that a span of each call, and metrics, are sent to, by OTLP over HTTP: `/v1/traces` and `/v1/metrics` are appended. If unset, nothing is sent.',
    allowed:
      'an http:// or https:// URL without query, fragment or credentials, such as http://collector.example.com:4318',
  }).optional(),
  otlpHeaders: z
    .string()
    .max(HEADERS_CHARACTERS_MAX)
    .refine((text) => parseOtlpHeaders(text) !== null)
    .meta({
      description: 'Headers that the collector is sent, such as the key of your account there.',
      allowed: 'name=value pairs separated by commas; in values, %2C is a comma and %20 a blank',
      isSecret: true,
    })
    .optional(),
  metricDims: z
    .string()
    .refine(isDimList)
    .default('')
    .meta({
      description:
        'Dimensions that become attributes of these metrics, as `weir.dim.<name>`. Spans have all of them. Name those with few values.',
      allowed: `at most ${METRIC_DIMS_MAX} names of dimensions, separated by commas`,
    }),
})
