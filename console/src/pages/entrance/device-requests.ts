// The sign-in of a device, which a person approves or denies by its code.

import { useMutation } from '@tanstack/react-query'
import type { Device, DeviceApproval, DeviceDecision } from '../../../../src/api/contract.ts'
import { ask } from '../../data/api-client.ts'

/** Asked for by hand: the page must not look a code up, let alone decide it, by itself. */
export function useFindDevice() {
  return useMutation({
    mutationFn: (userCode: string) =>
      ask<Device>('/v1/device/find', { method: 'POST', body: { user_code: userCode } }),
  })
}

export function useDecideDevice() {
  return useMutation({
    mutationFn: ({ team_id, ...body }: DeviceApproval & { readonly isDenied?: boolean }) => {
      const { isDenied = false, ...code } = body
      return isDenied
        ? ask<DeviceDecision>('/v1/device/deny', { method: 'POST', body: code })
        : ask<DeviceDecision>('/v1/device/approve', { method: 'POST', body: { ...code, team_id } })
    },
  })
}
