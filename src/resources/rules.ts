// What is said of a value that a field refuses: to programs and on the command line, which name the
// field first, and beside a form's field. One bound, one sentence for each reader.

import { DIM_PAIRS_MAX, DIM_VALUE_CHARS_MAX } from '../core/dims.ts'
import { SCOPE_FORMS } from '../core/budget-scope.ts'
import type { Field } from './field.ts'

export const DIM_KEY_WORDS = 'a letter, then up to 63 letters, digits, dots, dashes or underscores'
export const DIM_KEY_FAULT =
  'A name begins with a letter; letters, digits, dots, dashes and underscores follow.'

/** `owner must have …`: what follows the field's name. */
export function ruleOf(field: Field): string {
  switch (field.kind) {
    case 'name':
    case 'text':
      return `must have 1 to ${field.charsMax} characters and no control characters`
    case 'word':
      return field.rule
    case 'list':
      return `must be at most ${field.countMax} ${field.item.words}`
    case 'dims':
      return `must be at most ${DIM_PAIRS_MAX} dimensions by name: ${DIM_KEY_WORDS}, each with a value of 1 to ${DIM_VALUE_CHARS_MAX} characters without control characters`
    case 'flag':
      return 'must be true or false'
    case 'limit':
      return `must be a whole number from 1 to ${field.max}`
    case 'expiry':
      return 'must be a moment in UTC, YYYY-MM-DDThh:mm:ssZ'
    case 'choice':
      return `must be one of ${field.choices.join(', ')}`
    case 'choices':
      return `must be one or more of ${field.choices.join(', ')}`
    case 'usd':
      return `must be a number, or a decimal as text with at most 12 decimals, above 0 and at most ${field.max}`
    case 'scope':
      return `must be ${SCOPE_FORMS}`
    case 'percents':
      return `must be at most ${field.countMax} whole numbers from 1 to ${field.max}`
  }
}

/** Beside the field of a form. */
export function formFaultOf(field: Field): string {
  return field.form?.fault ?? kindFaultOf(field)
}

function kindFaultOf(field: Field): string {
  switch (field.kind) {
    case 'name':
      return `Enter a name of at most ${field.charsMax} characters, in one line.`
    case 'text':
      return `Enter at most ${field.charsMax} characters, in one line.`
    case 'word':
      return `Enter at most ${field.charsMax} characters.`
    case 'list':
      return `Enter at most ${field.countMax}.`
    case 'dims':
      return `Enter each as name=value, such as team=search: ${DIM_PAIRS_MAX} at most, each name once. ${DIM_KEY_FAULT}`
    case 'flag':
      return 'Choose yes or no.'
    case 'limit':
      return `Enter a whole number from 1 to ${field.max.toLocaleString('en-US')}, or leave it empty for no limit.`
    case 'expiry':
      return 'Choose a day that is still to come.'
    case 'choice':
      return 'Choose one.'
    case 'choices':
      return 'Choose at least one.'
    case 'usd':
      return `Enter an amount above 0 and up to ${field.max.toLocaleString('en-US')}, such as 1,000 or 0.50.`
    case 'scope':
      return 'Choose what it counts.'
    case 'percents':
      return `Enter at most ${field.countMax} whole percentages from 1 to ${field.max}, such as 80.`
  }
}
