// The width of an element in whole pixels, also when it changes; 0 until it is known.

import { useCallback, useState } from 'react'

export function useWidth(): readonly [(element: Element | null) => void, number] {
  const [width, setWidth] = useState(0)
  const watch = useCallback((element: Element | null) => {
    if (element === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      setWidth(Math.floor(entry?.contentRect.width ?? 0))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [watch, width]
}
