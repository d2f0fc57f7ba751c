// Asks before a page with something unsaved is left.

import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactElement } from 'react'

export interface LeaveQuestionProps {
  readonly onStay: () => void
  readonly onLeave: () => void
}

export function LeaveQuestion({ onStay, onLeave }: LeaveQuestionProps): ReactElement {
  return (
    <Modal opened onClose={onStay} title="Leave without saving?" closeOnClickOutside={false}>
      <Text>What is not saved on this page is lost when you leave it.</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onStay} data-autofocus>
          Stay
        </Button>
        <Button color="red" onClick={onLeave}>
          Leave
        </Button>
      </Group>
    </Modal>
  )
}
