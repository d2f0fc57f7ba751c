// How to use a new access token: ask the API, or let an agent ask it. Must stay true: the addresses
// are those of docs/api/clients.md.

export interface TokenSnippetSubject {
  /** Of the API, without a slash at the end. */
  readonly url: string
  readonly token: string
}

/** The month's cost by model. */
export function createUsageCurl({ url, token }: TokenSnippetSubject): string {
  return `curl -H 'Authorization: Bearer ${token}' \\
  '${url}/v1/usage?metric=cost_usd&window=month_to_date&dimension=model'`
}

/** A Model Context Protocol server, as agents' settings describe it. */
export function createMcpSettings({ url, token }: TokenSnippetSubject): string {
  const weir = { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${token}` } }
  return JSON.stringify({ mcpServers: { weir } }, null, 2)
}
