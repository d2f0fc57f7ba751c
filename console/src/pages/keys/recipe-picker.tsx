// How to call through Weir with a tool of one's choice: what to set, what to paste, what does not
// work. The same recipes are in docs/recipes.

import { Code, SegmentedControl, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Recipe, WayName } from '../../../../recipes/recipe.ts'
import {
  renderDims,
  renderNote,
  renderRecipe,
  toBlocks,
} from '../../../../recipes/render-recipe.ts'
import type { Block } from '../../../../recipes/render-recipe.ts'
import { toSampleDims } from '../../../../src/core/dims.ts'
import { keyModelsQuery } from '../../data/keys.ts'
import {
  chooseModel,
  chooseProvider,
  findTool,
  listTools,
  listWays,
} from '../../data/recipe-choices.ts'
import type { CallingKey } from '../../data/recipe-choices.ts'
import { serviceQuery } from '../../data/service.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import './recipe-picker.css'

export interface RecipePickerProps {
  readonly proxyUrl: string
  /** The whole key, or what stands for one. */
  readonly secret: string
  /** Its models and dimensions are those of the call; null where there is none yet. */
  readonly callingKey: CallingKey | null
  /** Left out: one that the key may use, the tool's own where it can be. */
  readonly provider?: string | undefined
}

const FIRST_TOOL = 'curl'
const MODELS_MAX = 1000
const WAY_LABELS: Readonly<Record<WayName, string>> = {
  header: 'With a header',
  stored: 'With a stored credential',
}

export function RecipePicker({ proxyUrl, secret, callingKey, provider }: RecipePickerProps) {
  const [tool, setTool] = useState(FIRST_TOOL)
  const { rows, providers, stored, isPending } = useCallFacts(callingKey)
  const usable = provider === undefined ? providers : [provider]
  const recipe = findTool(tool, usable)
  if (isPending) return <Skeleton h={260} />
  if (recipe === null) {
    const id = usable?.[0] ?? 'PROVIDER'
    return (
      <p className="quiet">
        There is no recipe for this provider. Its base URL is{' '}
        <span className="mono">{`${proxyUrl}/v1/${id}`}</span>, with the Weir key in the header
        X-SVC-API-Key.
      </p>
    )
  }
  const called = chooseProvider(recipe, usable, stored)
  const model = chooseModel(recipe, { provider: called, key: callingKey, rows })
  return (
    <Stack gap="md">
      <Select
        label="Tool"
        data={listTools(usable).map(({ group, items }) => ({ group, items: [...items] }))}
        value={recipe.id}
        onChange={(id) => setTool(id ?? FIRST_TOOL)}
        allowDeselect={false}
        searchable
        maw="18rem"
      />
      <RecipeView
        key={`${recipe.id} ${called} ${callingKey?.id}`}
        recipe={recipe}
        place={{ proxyUrl, key: secret, provider: called, model: model ?? NO_MODEL }}
        needed={toNeeded(callingKey)}
        isStored={stored.includes(called)}
      />
    </Stack>
  )
}

/** Stands where no model is known that the key may use. */
const NO_MODEL = 'YOUR-MODEL'

/** What the key may use: known models, their providers (undefined: all), stored credentials. */
function useCallFacts(key: CallingKey | null) {
  const question = { key_id: key?.id ?? '', limit: MODELS_MAX }
  const models = useQuery({ ...keyModelsQuery(question), enabled: key !== null })
  const asksStored = key !== null && key.use_credentials.length > 0
  const service = useQuery({ ...serviceQuery, refetchInterval: false, enabled: asksStored })
  const { rows = [], providers = [] } = models.data ?? {}
  const known = key === null || key.allowed_models.length === 0 ? [] : providers
  const allowed = key === null || key.allowed_providers.length === 0 ? known : key.allowed_providers
  const has = service.data?.providers.filter((each) => each.has_credential).map(({ id }) => id)
  return {
    rows,
    providers: known.length > 0 ? known : allowed.length > 0 ? allowed : undefined,
    stored: key?.use_credentials.filter((id) => has?.includes(id) === true) ?? [],
    isPending: models.isLoading || models.isPlaceholderData || service.isLoading,
  }
}

/** Dimensions that a call has to say, with values that stand for the caller's own. */
function toNeeded(key: CallingKey | null) {
  return key === null
    ? []
    : toSampleDims(key.required_dims, { ...key.default_dims, ...key.locked_dims })
}

interface RecipeViewProps {
  readonly recipe: Recipe
  readonly place: { proxyUrl: string; key: string; provider: string; model: string }
  readonly needed: ReturnType<typeof toSampleDims>
  readonly isStored: boolean
}

function RecipeView({ recipe, place, needed, isStored }: RecipeViewProps) {
  const dims = needed.map((pair) => pair.join('=')).join(',')
  const ways = listWays(recipe, { isStored, dims })
  const [chosen, setWay] = useState<WayName>(isStored ? 'stored' : 'header')
  const way = ways.includes(chosen) ? chosen : ways[0]
  if (way === undefined) return <NoWay recipe={recipe} provider={place.provider} dims={dims} />
  const rendered = renderRecipe(recipe, way, { ...place, dims })
  const stands = needed.map(([name, value]) => `\`${value}\` stands for a ${name} of yours.`)
  if (place.model === NO_MODEL) {
    stands.push(`\`${NO_MODEL}\` stands for a model at ${place.provider} that the key may use.`)
  }
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
        <MarkedText text={[describeWay(way, place.provider), ...stands].join(' ')} />
      </Text>
      {rendered !== null &&
        toBlocks(rendered).map((block) => (
          <RecipeBlock key={block.role} block={block} title={recipe.title} />
        ))}
      <Notes recipe={recipe} proxyUrl={place.proxyUrl} isStored={isStored} />
    </Stack>
  )
}

function describeWay(way: WayName, provider: string): string {
  return way === 'header'
    ? "The Weir key is in a header of its own. The provider's key stays with the app and is passed on unchanged."
    : `The Weir key stands in the place of the key of ${provider}, which is stored in Weir.`
}

interface NoWayProps {
  readonly recipe: Recipe
  readonly provider: string
  readonly dims: string
}

function NoWay({ recipe, provider, dims }: NoWayProps) {
  const why = 'whyNot' in recipe.header ? [recipe.header.whyNot] : []
  const what =
    dims === ''
      ? `It needs a credential that is stored for ${provider} (\`providers.${provider}.credential\` in the configuration), and a key that may use it.`
      : `It cannot send \`${dims}\`: give the key these dimensions as its own.`
  return (
    <Text size="sm">
      <MarkedText text={[...why, what].join(' ')} />
    </Text>
  )
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
  readonly isStored: boolean
}

function Notes({ recipe, proxyUrl, isStored }: NotesProps) {
  const { limits, kind } = recipe
  return (
    <ul className="recipe-notes">
      <li>
        <b>Dimensions:</b> <MarkedText text={renderDims(recipe, isStored)} />
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
