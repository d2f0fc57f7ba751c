// Builds the console into console/dist, from where the API serves it.
// Must stay true: nothing is inlined, for the pages' content policy allows files of our own only.

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const API_URL = 'http://127.0.0.1:7071'

export default defineConfig({
  plugins: [react()],
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { '/v1': API_URL } },
})
