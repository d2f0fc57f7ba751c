// Distances in OKLab, where 0.02 is about the least that an eye sees side by side. How colours look
// to colour-blind readers is worked out as by Machado, Oliveira and Fernandes (2009), whole loss.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_THEME } from '@mantine/core'
import { resolveCssVariables } from './theme.ts'

type Triple = readonly [number, number, number]
type Matrix = readonly [Triple, Triple, Triple]

const READERS: Readonly<Record<string, Matrix>> = {
  'all colours': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'no red (protanopia)': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'no green (deuteranopia)': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'no blue (tritanopia)': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}
const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const TO_OKLAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]
const LUMINANCE: Triple = [0.2126, 0.7152, 0.0722]

/** Of any two of the twelve, for any of the readers; of the first five it is larger. */
const DISTANCE_MIN = 0.08
const DISTANCE_MIN_OF_FIVE = 0.1
const CONTRAST_MIN = 3

const dot = (one: Triple, two: Triple): number =>
  one[0] * two[0] + one[1] * two[1] + one[2] * two[2]
const turn = (by: Matrix, of: Triple): Triple => [dot(by[0], of), dot(by[1], of), dot(by[2], of)]
const map = ([a, b, c]: Triple, to: (value: number) => number): Triple => [to(a), to(b), to(c)]

function toLinear(hex: string): Triple {
  const byte = (place: number): number => Number.parseInt(hex.slice(place, place + 2), 16) / 255
  return map([byte(1), byte(3), byte(5)], (value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
}

function toSeen(hex: string, reader: Matrix): Triple {
  const seen = map(turn(reader, toLinear(hex)), (value) => Math.min(Math.max(value, 0), 1))
  return turn(TO_OKLAB, map(turn(TO_CONES, seen), Math.cbrt))
}

function findLeastDistance(colors: readonly string[], reader: Matrix): number {
  const seen = colors.map((color) => toSeen(color, reader))
  const distances = seen.flatMap((one, place) =>
    seen
      .slice(0, place)
      .map((two) => Math.hypot(...one.map((value, at) => value - (two[at] ?? 0)))),
  )
  return Math.min(...distances)
}

function toContrast(one: string, two: string): number {
  const [dark = 0, light = 0] = [one, two]
    .map((color) => dot(LUMINANCE, toLinear(color)) + 0.05)
    .toSorted((a, b) => a - b)
  return light / dark
}

for (const scheme of ['light', 'dark'] as const) {
  const variables = resolveCssVariables(DEFAULT_THEME)[scheme]
  const colors = Array.from({ length: 12 }, (_, at) => variables[`--chart-${at + 1}`] ?? '')
  for (const [name, reader] of Object.entries(READERS)) {
    test(`twelve series are told apart, ${scheme}, by a reader who sees ${name}`, () => {
      const [all, five] = [colors, colors.slice(0, 5)].map((some) =>
        findLeastDistance(some, reader),
      )
      assert.ok((all ?? 0) >= DISTANCE_MIN, `${all}`)
      assert.ok((five ?? 0) >= DISTANCE_MIN_OF_FIVE, `${five} of the first five`)
    })
  }

  test(`each series stands out from what is behind it, ${scheme}`, () => {
    for (const surface of ['--weir-surface', '--weir-inset'] as const) {
      for (const color of colors) {
        const contrast = toContrast(color, variables[surface] ?? '')
        assert.ok(contrast >= CONTRAST_MIN, `${color} on ${surface}: ${contrast}`)
      }
    }
  })
}
