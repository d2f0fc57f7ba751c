// How a pattern of allowed models is written, behind a line that opens. The rules are those of docs/policy.md.

import { Code, Text } from '@mantine/core'
import './pattern-help.css'

const EXAMPLES: readonly (readonly [pattern: string, meaning: string])[] = [
  ['openai/gpt-4o', 'this model alone'],
  ['openai/gpt-4o*', 'all that begins so'],
  ['openai/*', 'all of OpenAI, on its own route and by the gateway'],
  ['gateway:openai/*', 'the same, by the gateway alone'],
  ['*/llama-*', 'names that begin with llama-, by every maker'],
]

export function PatternHelp() {
  return (
    <details className="pattern-help">
      <summary>How patterns are written</summary>
      <dl>
        {EXAMPLES.map(([pattern, meaning]) => (
          <div key={pattern}>
            <dt>
              <Code>{pattern}</Code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Text size="sm" c="dimmed">
        A pattern covers the whole name, maker and model: <Code>gpt-4o</Code> alone allows nothing.
        Case makes no difference.
      </Text>
    </details>
  )
}
