// How patterns of models are written, folded behind a line. The rules are those of docs/policy.md.

import { Code, Text } from '@mantine/core'
import './pattern-help.css'

const EXAMPLES: readonly (readonly [pattern: string, meaning: string])[] = [
  ['gpt-4o', 'the model of this name, at every provider'],
  ['openai/gpt-4o', 'only this model of OpenAI'],
  ['openai/gpt-4o*', 'every name that starts like this'],
  ['openai/*', 'all OpenAI models, directly and through the gateway'],
  ['gateway:openai/*', 'the same, only through the gateway'],
  ['*/llama-*', 'names that start with llama-, from any vendor'],
]

export function PatternHelp() {
  return (
    <details className="pattern-help">
      <summary>How to write patterns</summary>
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
        A name with a date, such as <Code>gpt-4o-2024-08-06</Code>, is another name: allow both
        where callers use both. Case is ignored.
      </Text>
    </details>
  )
}
