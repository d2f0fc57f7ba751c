// A figure that fades in when it has changed, so that a reader sees which one did; not when it is
// first shown. Motion is in style.css, for those who want it.

import { useState } from 'react'

export function Figure({ text }: { readonly text: string }) {
  const [first] = useState(text)
  return (
    <span key={text} className={text === first ? undefined : 'figure-changed'}>
      {text}
    </span>
  )
}
