import { useEffect, useMemo, useState } from 'react'
import { run as texts } from '../../messages/run.ts'
import type { Data, ReadDocument } from '../configuration/data.ts'
import { readDocument } from '../configuration/document-text.ts'
import { metadataText, readMetadata } from './metadata-lines.ts'
import type { InputForm, Original } from './run-fields.tsx'

/** Milliseconds without typing after which a plan is asked for. */
const pause = 400

interface Inputs<Form> {
  /** The form once typing rests. */
  readonly rested: Form
  /** Whether that is the form as it is now: what is sent before would lack what was typed last. */
  readonly isRested: boolean
  /** Property overrides of the rested form, read; undefined while they are wrong or being read. */
  readonly overrides: Data | undefined
  /** What is wrong with a field before the service is asked. */
  readonly problems: Readonly<Record<string, string>>
}

/** Inputs of a run as they can be sent: read and checked once typing rests. */
export function useInputs<Form extends InputForm>(form: Form): Inputs<Form> {
  const rested = useRested(form)
  const read = useOverrides(rested.overrides)
  const problems = useMemo(() => problemsOf(form, read), [form, read])
  return {
    rested,
    isRested: rested === form,
    overrides: read && !('problems' in read) ? read.data : undefined,
    problems,
  }
}

/** Inputs of an activity as its retry begins with them. */
export function originalOf(attributes: {
  readonly property_overrides?: unknown
  readonly skip_steps?: unknown
  readonly metadata?: unknown
}): Original {
  const overrides = (attributes.property_overrides ?? {}) as Data
  return {
    overrides,
    form: {
      skipSteps: ((attributes.skip_steps ?? []) as readonly string[]).join('\n'),
      // JSON is YAML as well.
      overrides: Object.keys(overrides).length === 0 ? '' : JSON.stringify(overrides, undefined, 2),
      metadata: metadataText(attributes.metadata),
    },
  }
}

/** The value once it has not changed for a while. */
export function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), pause)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

/** Overrides as read; undefined while they are being read. */
function useOverrides(text: string): ReadDocument | undefined {
  const [read, setRead] = useState<{ readonly text: string; readonly overrides: ReadDocument }>()
  useEffect(() => {
    let isCurrent = true
    void readDocument(text, 'yaml').then(overrides => isCurrent && setRead({ text, overrides }))
    return () => {
      isCurrent = false
    }
  }, [text])
  return read?.text === text ? read.overrides : undefined
}

function problemsOf(form: InputForm, overrides: ReadDocument | undefined): Record<string, string> {
  const { fault } = readMetadata(form.metadata)
  const [problem] = overrides && 'problems' in overrides ? overrides.problems : []
  return {
    ...(problem && { property_overrides: texts.overridesAt(problem.line, problem.message) }),
    ...(fault !== undefined && { metadata: fault }),
  }
}
