// A secret that is shown once. It is only in the page's memory.

import { Alert, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CodeBlock } from '../code-block.tsx'
import { CheckIcon } from '../icons.tsx'

export interface SecretOnceProps {
  /** `The key is ready` */
  readonly title: string
  /** `the new key` */
  readonly label: string
  readonly secret: string
  /** Where Weir stores more of it than its hash. */
  readonly isKept?: boolean
  /** What to do with it. */
  readonly children?: ReactNode
}

export function SecretOnce(props: SecretOnceProps) {
  const { title, label, secret, isKept = false, children } = props
  return (
    <Alert role="status" color="green" title={title} icon={<CheckIcon />}>
      <Text size="sm" mb="xs">
        Copy it now. It is shown only once{isKept ? '.' : '; Weir stores only its hash.'}
      </Text>
      <CodeBlock label={label} text={secret} />
      {children}
    </Alert>
  )
}
