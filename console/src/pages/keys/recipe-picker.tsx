// How to call through Weir with a tool of one's choice: what to set, what to paste, what does not
// work. The same recipes are in docs/recipes.

import { Code, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Recipe, WayName } from '../../../../recipes/recipe.ts'
import { renderNote, renderRecipe, toBlocks } from '../../../../recipes/render-recipe.ts'
import type { Block } from '../../../../recipes/render-recipe.ts'
import { findTool, listTools, listWays } from '../../data/recipe-choices.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import './recipe-picker.css'

export interface RecipePickerProps {
  readonly proxyUrl: string
  /** The whole key, or what stands for one. */
  readonly secret: string
  /** Undefined: the one that each tool calls by itself. */
  readonly provider: string | undefined
  /** Whether the key may use the provider's stored credential: that way is shown first. */
  readonly isStored?: boolean
}

const FIRST_TOOL = 'curl'
const WAY_LABELS: Readonly<Record<WayName, string>> = {
  header: 'With a header',
  stored: 'Base URL and key',
}

export function RecipePicker(props: RecipePickerProps) {
  const { proxyUrl, secret, provider, isStored = false } = props
  const [tool, setTool] = useState(FIRST_TOOL)
  const recipe = findTool(tool, provider)
  if (recipe === null) {
    return (
      <p className="quiet">
        There is no recipe for this provider. Its base URL is{' '}
        <span className="mono">{`${proxyUrl}/v1/${provider}`}</span>, with the Weir key in the
        header X-SVC-API-Key.
      </p>
    )
  }
  return (
    <Stack gap="md">
      <Select
        label="Tool"
        data={listTools(provider).map(({ group, items }) => ({ group, items: [...items] }))}
        value={recipe.id}
        onChange={(id) => setTool(id ?? FIRST_TOOL)}
        allowDeselect={false}
        searchable
        maw="18rem"
      />
      <RecipeView
        key={recipe.id}
        recipe={recipe}
        place={{ proxyUrl, key: secret, provider }}
        firstWay={isStored ? 'stored' : 'header'}
      />
    </Stack>
  )
}

interface RecipeViewProps {
  readonly recipe: Recipe
  readonly place: { proxyUrl: string; key: string; provider: string | undefined }
  readonly firstWay: WayName
}

function RecipeView({ recipe, place, firstWay }: RecipeViewProps) {
  const ways = listWays(recipe)
  const [chosen, setWay] = useState(firstWay)
  const way = ways.includes(chosen) ? chosen : (ways[0] ?? firstWay)
  const rendered = renderRecipe(recipe, way, place)
  return (
    <Stack gap="sm">
      {ways.length > 1 && (
        <SegmentedControl
          aria-label="Where the Weir key goes"
          data={ways.map((name) => ({ value: name, label: WAY_LABELS[name] }))}
          value={way}
          onChange={(value) => setWay(value === 'stored' ? 'stored' : 'header')}
          className="recipe-ways"
        />
      )}
      <Text size="sm" c="dimmed">
        <MarkedText text={describeWay(way, place.provider ?? recipe.provider)} />
      </Text>
      {rendered !== null &&
        toBlocks(rendered).map((block) => (
          <RecipeBlock key={block.role} block={block} title={recipe.title} />
        ))}
      <Notes recipe={recipe} proxyUrl={place.proxyUrl} />
    </Stack>
  )
}

function describeWay(way: WayName, provider: string): string {
  return way === 'header'
    ? "The Weir key is in a header of its own. The provider's key stays with the app and is passed on unchanged."
    : `The Weir key stands in the place of the provider's, which is stored in Weir: it needs \`providers.${provider}.credential\` in the configuration, and a key that may use it (\`weir keys create --use-credential ${provider}\`).`
}

function RecipeBlock({ block, title }: { readonly block: Block; readonly title: string }) {
  const { path, text } = block
  return (
    <div>
      {path !== null && (
        <Text size="sm" mb={4}>
          In <span className="mono">{path}</span>:
        </Text>
      )}
      <CodeBlock label={toLabel(block, title)} text={text} />
    </div>
  )
}

function toLabel({ role }: Block, title: string): string {
  switch (role) {
    case 'variables':
      return `the variables for ${title}`
    case 'file':
      return `the file for ${title}`
    case 'program':
      return `the call with ${title}`
  }
}

interface NotesProps {
  readonly recipe: Recipe
  readonly proxyUrl: string
}

function Notes({ recipe, proxyUrl }: NotesProps) {
  const { dims, limits, kind } = recipe
  return (
    <ul className="recipe-notes">
      <li>
        <b>Dimensions:</b> <MarkedText text={dims} />
      </li>
      {limits.map((limit) => (
        <li key={limit}>
          <MarkedText text={renderNote(limit, proxyUrl)} />
        </li>
      ))}
      {kind === 'application' && <li>Written after its documentation; not tried by us.</li>}
    </ul>
  )
}

/** A sentence in which `code` stands between backticks. */
function MarkedText({ text }: { readonly text: string }) {
  const parts = text.split('`')
  return parts.map((part, index) =>
    // The parts of a text never change order, so their position is their key.
    index % 2 === 1 ? <Code key={index}>{part}</Code> : <span key={index}>{part}</span>,
  )
}
