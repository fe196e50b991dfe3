import { lazy, Suspense } from 'react'
import { Skeleton } from '../state/state.tsx'
import type { EditorProps } from './props.ts'

const CodeEditor = lazy(() => import('./code-editor.tsx'))

/** Text editor for YAML and JSON; its code is loaded when the first one is shown. */
export const Editor = (props: EditorProps) => (
  <Suspense fallback={<Skeleton />}>
    <CodeEditor {...props} />
  </Suspense>
)
