import { useSearch } from '@tanstack/react-router'
import { SectionLog } from './section-log.tsx'
import type { PartProps } from './use-activity.ts'
import { useChangeSections, useRunSections } from './use-sections.ts'

/** Log of a change or a workflow run in sections by step. */
export default function LogByStep(part: PartProps) {
  const { step } = useSearch({ from: '/activities/$id' })
  return part.kind.type === 'change' ? <OfChange {...part} linked={step} /> : <OfRun {...part} linked={step} />
}

interface LinkedProps extends PartProps {
  /** Step that the address names. */
  readonly linked: string | undefined
}

const OfChange = ({ linked, ...part }: LinkedProps) => (
  <SectionLog {...part} sections={useChangeSections(part, linked)} />
)

const OfRun = ({ linked, ...part }: LinkedProps) => <SectionLog {...part} sections={useRunSections(part, linked)} />
