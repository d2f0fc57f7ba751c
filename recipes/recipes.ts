// Every recipe, in the order in which they are shown.

import { AMAZON_RECIPES } from './amazon.ts'
import { APPLICATION_RECIPES } from './applications.ts'
import { COMMAND_LINE_RECIPES } from './command-line.ts'
import { COMPILED_RECIPES } from './compiled.ts'
import { JAVASCRIPT_RECIPES } from './javascript.ts'
import { JAVASCRIPT_FRAMEWORK_RECIPES } from './javascript-frameworks.ts'
import { PYTHON_RECIPES } from './python.ts'
import { PYTHON_FRAMEWORK_RECIPES } from './python-frameworks.ts'
import type { Recipe } from './recipe.ts'

export const RECIPES: readonly Recipe[] = [
  ...COMMAND_LINE_RECIPES,
  ...JAVASCRIPT_RECIPES,
  ...JAVASCRIPT_FRAMEWORK_RECIPES,
  ...PYTHON_RECIPES,
  ...AMAZON_RECIPES,
  ...PYTHON_FRAMEWORK_RECIPES,
  ...COMPILED_RECIPES,
  ...APPLICATION_RECIPES,
]
