// Below the figure of a month whose costs were changed after the fact.

export interface RepricedNoteProps {
  /** Ready to show; undefined for a month that was left as it is. */
  readonly text: string | undefined
}

export function RepricedNote({ text }: RepricedNoteProps) {
  if (text === undefined) return null
  return <span className="repriced-note">{text}</span>
}
