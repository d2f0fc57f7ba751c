// The documentation as pages beside the console, for those who have the program and no checkout:
// /docs/budgets.html is docs/budgets.md. Must stay true: a link leads to a page that is there.

import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Marked } from 'marked'
import type { Plugin } from 'vite'

const HERE = import.meta.dirname
const DOCS = join(HERE, '..', 'docs')

export function docsPages(): Plugin {
  return {
    name: 'weir-docs-pages',
    apply: 'build',
    generateBundle() {
      const template = readFileSync(join(HERE, 'docs.html'), 'utf8')
      const style = readFileSync(join(HERE, 'docs.css'))
      this.emitFile({ type: 'asset', fileName: 'docs/docs.css', source: style })
      for (const [name, text] of readDocs()) {
        const fileName = `docs/${toPageName(name)}`
        this.emitFile({ type: 'asset', fileName, source: toPage(template, name, text) })
      }
    },
  }
}

/** Those that are in the package: decisions are for contributors. */
function readDocs(): ReadonlyMap<string, string> {
  const names = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  const pages = names.filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
  return new Map(pages.map((name) => [name, readFileSync(join(DOCS, name), 'utf8')]))
}

const toPageName = (name: string): string =>
  name.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')

function toPage(template: string, name: string, text: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: words }) {
        const id = toAnchor(words)
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        const target = toTarget(name, href)
        return target === null ? words : `<a href="${target}">${words}</a>`
      },
      // Pictures are of the console, which is beside it.
      image: () => '',
    },
  })
  const html = marked.parse(text, { async: false })
  return template.replace('__TITLE__', () => title).replace('__TEXT__', () => html)
}

/** As a forge makes it. */
function toAnchor(heading: string): string {
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
  return words.trim().replaceAll(/\s/g, '-')
}

/** Null for what is not among the pages: its words stay. */
function toTarget(name: string, href: string): string | null {
  if (/^(?:[a-z]+:|#)/.test(href)) return href
  const [file = '', anchor] = href.split('#', 2)
  const path = posix.join(posix.dirname(name), file)
  const isPage = path.endsWith('.md') && !path.startsWith('..') && !path.startsWith('decisions')
  if (!isPage) return null
  return `/docs/${toPageName(path)}${anchor === undefined ? '' : `#${anchor}`}`
}
