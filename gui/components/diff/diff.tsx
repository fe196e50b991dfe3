import { lazy, Suspense } from 'react'
import { Skeleton } from '../state/state.tsx'
import type { DiffProps } from './props.ts'

const CodeDiff = lazy(() => import('./code-diff.tsx'))

/** Comparison of two texts with long unchanged parts folded; its code is loaded when the first one is shown. */
export const Diff = (props: DiffProps) => (
  <Suspense fallback={<Skeleton />}>
    <CodeDiff {...props} />
  </Suspense>
)
