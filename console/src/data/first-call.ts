// The snippet of the first call through the proxy, ready for a shell.

export interface FirstCall {
  /** Without a slash at the end. */
  readonly proxyUrl: string
  readonly provider: string
}

export function createFirstCall({ proxyUrl, provider }: FirstCall): string {
  return `WEIR_KEY='svc_k_…'   # printed by step 1
PROVIDER_KEY='…'     # your key at the provider
MODEL='…'            # a model it offers

curl ${proxyUrl}/v1/${provider}/v1/chat/completions \\
  -H "X-SVC-API-Key: $WEIR_KEY" \\
  -H "Authorization: Bearer $PROVIDER_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "'"$MODEL"'",
       "messages": [{"role": "user", "content": "Hello"}]}'`
}
