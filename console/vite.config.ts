// Builds the console into console/dist, from where the API serves it. Nothing is inlined, because
// the pages' content policy allows only files of our own; and each text file is also written
// compressed, so that no request compresses it. The API's reference is a page of its own, with the
// files of its library as they come.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
// @ts-expect-error It comes without types.
import subsetFont from 'subset-font'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { docsPages } from './docs-pages.ts'

/** Those of ui/theme.ts. */
const WEIGHTS = { min: 400, max: 600 }
const API_URL = 'http://127.0.0.1:7071'
/** Before compression. The first script contains React, the router and the styles. */
const CHUNK_KILOBYTES_MAX = 700
const TEXT_EXTENSIONS = ['.js', '.css', '.svg'] as const
/** Smaller files gain nothing. */
const COMPRESS_BYTES_MIN = 512

export default defineConfig({
  plugins: [react(), referencePage(), docsPages(), smallTypeface(), smallStyles(), compressFiles()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: CHUNK_KILOBYTES_MAX,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 2 },
            // What several pages use, in one file: browsers load six at a time, and it would be
            // thirty.
            { name: 'shared', minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': API_URL } },
})

/** Bundled with the console, the library would be in what every page loads first. */
function referencePage(): Plugin {
  const library = join(import.meta.dirname, '..', 'node_modules', 'swagger-ui-dist')
  const files = {
    __REFERENCE_STYLES__: join(library, 'swagger-ui.css'),
    __REFERENCE_LIBRARY__: join(library, 'swagger-ui-bundle.js'),
    __REFERENCE_SCRIPT__: join(import.meta.dirname, 'reference.js'),
  }
  return {
    name: 'weir-reference-page',
    apply: 'build',
    generateBundle() {
      let page = readFileSync(join(import.meta.dirname, 'reference.html'), 'utf8')
      for (const [placeholder, file] of Object.entries(files)) {
        const asset = { type: 'asset', name: basename(file), source: readFileSync(file) } as const
        page = page.replace(placeholder, `/${this.getFileName(this.emitFile(asset))}`)
      }
      this.emitFile({ type: 'asset', fileName: 'reference.html', source: page })
    },
  }
}

/**
 * Of the file that every page loads, only the weights that the console uses: they are three fifths
 * of it. Whoever gets the typeface gets its licence too, which asks for it.
 */
function smallTypeface(): Plugin {
  const folder = join(import.meta.dirname, '..', 'node_modules', '@fontsource-variable', 'inter')
  return {
    name: 'weir-small-typeface',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const license = readFileSync(join(folder, 'LICENSE'), 'utf8')
      this.emitFile({ type: 'asset', fileName: 'inter-license.txt', source: license })
      const ranges = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as {
        readonly latin: string
      }
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.includes('inter-latin-wght')) continue
        file.source = await subsetFont(Buffer.from(file.source), listCharacters(ranges.latin), {
          targetFormat: 'woff2',
          variationAxes: { wght: WEIGHTS },
        })
      }
    },
  }
}

/** Of `U+0000-00FF,U+0131`. */
function listCharacters(ranges: string): string {
  return ranges
    .split(',')
    .map((range) => {
      const [from = 0, to = from] = range
        .replace('U+', '')
        .split('-')
        .map((hex) => Number.parseInt(hex, 16))
      return Array.from({ length: to - from + 1 }, (_, place) => String.fromCodePoint(from + place))
    })
    .flat()
    .join('')
}

/** Without the shades of Mantine's colours that theme.ts has not. */
function smallStyles(): Plugin {
  const others = 'pink|grape|violet|indigo|blue|cyan|teal|lime|orange'
  return {
    name: 'weir-small-styles',
    enforce: 'pre',
    transform: (code, id) =>
      id.endsWith('default-css-variables.css')
        ? code.replaceAll(new RegExp(`^\\s*--mantine-color-(?:${others})-[^;]+;`, 'gm'), '')
        : null,
  }
}

/** Not the page itself: the server writes a nonce into it at each request. */
function compressFiles(): Plugin {
  return {
    name: 'weir-compress-files',
    apply: 'build',
    writeBundle({ dir }) {
      if (dir === undefined) return
      const names = readdirSync(dir, { recursive: true, encoding: 'utf8' })
      for (const name of names.filter((file) => isText(file))) compress(join(dir, name))
    },
  }
}

function isText(name: string): boolean {
  const extension = extname(name)
  return TEXT_EXTENSIONS.some((text) => text === extension)
}

function compress(file: string): void {
  const bytes = readFileSync(file)
  if (bytes.length < COMPRESS_BYTES_MIN) return
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
}
