// The nonce that the server put into the page: style elements without it are not applied.

export function readNonce(): string {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="weir-nonce"]')?.content ?? ''
  // The library that stops a page from scrolling under a dialog looks for it there.
  Object.assign(globalThis, { __webpack_nonce__: nonce })
  return nonce
}
