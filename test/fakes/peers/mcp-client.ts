// The protocol's own client on /mcp, as agents bring it along.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** With the handshake of 2025, or without it. */
export const MCP_MODES = ['legacy', { pin: '2026-07-28' }] as const

export interface McpClientOptions {
  readonly url: string
  readonly authorization?: string
  readonly mode?: (typeof MCP_MODES)[number]
}

export async function openMcpClient(options: McpClientOptions): Promise<Client> {
  const { url, authorization, mode = 'legacy' } = options
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  )
  return client
}

export interface ToolOutcome {
  readonly isError: boolean
  readonly text: string
  readonly structured: unknown
}

export async function callTool(
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
): Promise<ToolOutcome> {
  const {
    content,
    isError = false,
    structuredContent,
  } = await client.callTool({
    name,
    arguments: given,
  })
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  return { isError, text, structured: structuredContent }
}
