// Configuration faults. Workers use this file without the schema, so it names no setting.

import { WeirError } from '../core/weir-error.ts'

export interface ConfigFault {
  /** `proxy.port`, an environment variable that means nothing, or empty for the file as a whole. */
  readonly subject: string
  /** `weir.yaml:3` or `WEIR_PROXY_PORT`; empty when the subject says it all. */
  readonly origin: string
  readonly text: string
}

function formatFault(fault: ConfigFault): string {
  if (fault.subject === '' || fault.origin === '') {
    return `${fault.subject}${fault.origin}: ${fault.text}`
  }
  return `${fault.subject} (${fault.origin}): ${fault.text}`
}

export function toConfigError(faults: readonly ConfigFault[]): WeirError {
  const count = faults.length === 1 ? '1 error' : `${faults.length} errors`
  const lines = faults.map((fault) => `  ${formatFault(fault)}`)
  return new WeirError('invalid_config', [`The configuration has ${count}:`, ...lines].join('\n'), {
    hint: 'Every setting is listed in docs/configuration.md.',
  })
}
