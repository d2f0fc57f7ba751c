// The tests of the console in a browser, in one process with one Chromium.

import { runTogether } from './run-together.ts'

runTogether('test/console')
