// What a person has chosen for the console, kept in this browser under their id: whoever signs in
// next has their own. Must stay true: without storage the choices apply until the page is left.

import { useSyncExternalStore } from 'react'
import { parseChoice, parseText } from './search-values.ts'

export const TIME_CHOICES = ['utc', 'local'] as const
export type TimeChoice = (typeof TIME_CHOICES)[number]

export interface Preferences {
  /** How moments are shown. Sums are of UTC days whatever is chosen. */
  readonly times: TimeChoice
  /** The field that Overview groups by; undefined for that of all who chose none. */
  readonly overviewGroup: string | undefined
}

const PRESET: Preferences = { times: 'utc', overviewGroup: undefined }
const PLACE = 'weir-preferences'

let userId: string | null = null
let current = PRESET
const listeners = new Set<() => void>()

/** Of the person who has signed in. */
export function loadPreferences(id: string): void {
  if (id === userId) return
  userId = id
  current = parsePreferences(readText(id))
  for (const listen of listeners) listen()
}

export function readPreference<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  return current[name]
}

export function setPreference<Name extends keyof Preferences>(
  name: Name,
  value: Preferences[Name],
): void {
  current = { ...current, [name]: value }
  if (userId !== null) writeText(userId, JSON.stringify(current))
  for (const listen of listeners) listen()
}

export function usePreference<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  return useSyncExternalStore(subscribe, () => current[name])
}

/** What cannot be read is as if it had not been chosen. */
export function parsePreferences(text: string | null): Preferences {
  try {
    const { times, overviewGroup } = JSON.parse(text ?? '{}') as Record<string, unknown>
    return {
      times: parseChoice(times, TIME_CHOICES) ?? PRESET.times,
      overviewGroup: parseText(overviewGroup),
    }
  } catch {
    return PRESET
  }
}

function subscribe(listen: () => void): () => void {
  listeners.add(listen)
  return () => listeners.delete(listen)
}

function readText(id: string): string | null {
  try {
    return localStorage.getItem(`${PLACE}:${id}`)
  } catch {
    return null
  }
}

function writeText(id: string, text: string): void {
  try {
    localStorage.setItem(`${PLACE}:${id}`, text)
  } catch {
    // Storage is blocked or full.
  }
}
