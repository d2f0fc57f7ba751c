// Mantine's notifications with their styles. Loaded separately by toasts.tsx.

import '@mantine/core/styles/Notification.css'
import '@mantine/notifications/styles.css'

export { Notifications } from '@mantine/notifications'
