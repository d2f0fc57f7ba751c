// The catalogue by clicking: what is measured, how it is grouped, over which period, and its
// filters. What cannot be answered cannot be chosen, and says why.

import { labelOf } from '../../../../src/core/usage-figures.ts'
import { windowsOf, GROUPINGS } from './explore-catalogue.ts'
import type { Grouping } from './explore-catalogue.ts'
import { choose, toParts } from './explore-question.ts'
import type { ExploreKnowledge, ExploreParts } from './explore-question.ts'
import { EXPLORE_METRICS, EXPLORE_WINDOWS } from './explore-search.ts'
import type { ExploreSearch } from './explore-search.ts'
import { explainGroupings, explainWindows, GROUPING_NAMES, WINDOW_NAMES } from './explore-words.ts'
import { useCan } from '../../data/session.ts'
import { Pills } from '../../ui/forms/pills.tsx'
import { QuestionDetails } from './question-details.tsx'

export interface QuestionFormProps {
  readonly search: ExploreSearch
  readonly knowledge: ExploreKnowledge
  readonly onChange: (search: ExploreSearch) => void
}

export function QuestionForm({ search, knowledge, onChange }: QuestionFormProps) {
  const canReadKeys = useCan('read:keys')
  const { metric, grouping, window } = toParts(search)
  const pick = (choice: Partial<ExploreParts>): void => onChange(choose(search, choice, knowledge))
  const windows = windowsOf(metric, grouping)
  const isGroupable = (each: Grouping): boolean =>
    windowsOf(metric, each).length > 0 && (each !== 'api_key' || canReadKeys)
  return (
    <div className="explore-choices">
      <Pills
        label="Measure"
        value={metric}
        options={EXPLORE_METRICS.map((value) => ({ value, label: labelOf(value) }))}
        onChoose={(value) => pick({ metric: value })}
      />
      <Pills
        label="Group by"
        value={grouping}
        options={GROUPINGS.map((value) => ({
          value,
          label: GROUPING_NAMES[value],
          isDisabled: !isGroupable(value),
        }))}
        note={explainGroupings(metric)}
        onChoose={(value) => pick({ grouping: value })}
      />
      <Pills
        label="Period"
        value={window}
        options={EXPLORE_WINDOWS.map((value) => ({
          value,
          label: WINDOW_NAMES[value],
          isDisabled: !windows.includes(value),
        }))}
        note={windows.length === 0 ? null : explainWindows(metric, grouping)}
        onChoose={(value) => pick({ window: value })}
      />
      <QuestionDetails
        search={search}
        knowledge={knowledge}
        onChange={(part) => onChange({ ...search, ...part })}
      />
    </div>
  )
}
