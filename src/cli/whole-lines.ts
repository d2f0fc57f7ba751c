// Text from bytes, in pieces that end where a line does.

export async function* toWholeLines(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest = ''
  for await (const piece of bytes) {
    const text = rest + decoder.decode(piece, { stream: true })
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    if (end > 0) yield text.slice(0, end)
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
