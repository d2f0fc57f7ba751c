// The body for Slack and compatible services. Must stay true: a name can neither mention people nor
// hide a link, https://docs.slack.dev/messaging/formatting-message-text#escaping

import type { Alert, AlertTarget } from '../core/alert.ts'
import { toAlertText } from './alert-text.ts'

const SLACK_HOST = 'hooks.slack.com'

/** Also a webhook whose address is Slack's: it would refuse any other body. */
export function isSlack({ kind, address }: Pick<AlertTarget, 'kind' | 'address'>): boolean {
  return kind === 'slack' || (kind === 'webhook' && new URL(address).hostname === SLACK_HOST)
}

export function toSlackBody(alert: Alert): string {
  const { paragraph, callsUrl } = toAlertText(alert)
  return JSON.stringify({ text: escape(paragraph) + (callsUrl === null ? '' : toLink(callsUrl)) })
}

/** Only a whole URL can be followed from there. */
function toLink(url: string): string {
  return url.startsWith('/') ? '' : ` <${escape(url)}|See its calls>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
