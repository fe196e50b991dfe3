import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Check, checkSource } from './check.ts'
import type { ShownStep } from './preview.ts'

/** Milliseconds without typing after which the text is checked. */
const rest = 600

export interface CheckState {
  /** Outcome for the text that was checked last; undefined before the first one. */
  readonly result: Check | undefined
  /** Why it could not be checked, such as a right that the user needs. */
  readonly error: unknown
  /** Whether the outcome for the current text is still to come. */
  readonly isPending: boolean
  /** Steps of the last text without errors. */
  readonly steps: readonly ShownStep[] | undefined
  /** Checks the text at once, also if it is unchanged: the project's properties may have changed. */
  readonly checkNow: () => void
}

/** Checks a definition whenever typing rests. */
export function useCheck(project: string, text: string, initial: readonly ShownStep[] | undefined): CheckState {
  const [checked, setChecked] = useState(text)
  const [steps, setSteps] = useState(initial)
  useEffect(() => {
    const timer = setTimeout(() => setChecked(text), rest)
    return () => clearTimeout(timer)
  }, [text])
  const query = useQuery({
    queryKey: ['workflow-check', project, checked],
    queryFn: () => checkSource(project, checked),
    placeholderData: before => before,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const valid = query.data?.steps
  if (valid && valid !== steps) setSteps(valid)
  return {
    result: query.data,
    error: query.error,
    isPending: query.isFetching || checked !== text,
    steps,
    checkNow: () => {
      if (checked === text) void query.refetch()
      else setChecked(text)
    },
  }
}
