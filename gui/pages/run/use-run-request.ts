import { useEffect, useMemo, useState } from 'react'
import { run as texts } from '../../messages/run.ts'
import type { Data, ReadDocument } from '../configuration/data.ts'
import { readDocument } from '../configuration/document-text.ts'
import { emptyForm, metadataText, type RunForm, readMetadata, retryAttributes, runAttributes } from './run-form.ts'
import type { RunSubject } from './run-subject.ts'
import type { RunRequest } from './use-plan.ts'

/** Milliseconds without typing after which a plan is asked for. */
const pause = 400

interface RunRequestState {
  readonly form: RunForm
  readonly change: (change: Partial<RunForm>) => void
  /** Request for what the form says; undefined while it is incomplete or wrong, and until typing rests. */
  readonly request: RunRequest | undefined
  /** What is wrong with a field before the service is asked. */
  readonly problems: Readonly<Record<string, string>>
}

/** Form of the run dialog, and the request that follows from it. */
export function useRunRequest(subject: RunSubject): RunRequestState {
  const [original] = useState(() => originalOf(subject))
  const [form, setForm] = useState(original.form)
  const rested = useRested(form)
  const overrides = useOverrides(rested.overrides)
  const problems = useMemo(() => problemsOf(form, overrides), [form, overrides])
  const request = useMemo((): RunRequest | undefined => {
    if (!overrides || 'problems' in overrides || Object.keys(problems).length > 0) return undefined
    if ('retryOf' in subject)
      return {
        path: '/api/changes',
        attributes: retryAttributes(rested, overrides.data, original),
        retryOf: subject.retryOf.id,
      }
    if (rested.action.trim() === '') return undefined
    return { path: `/api${subject.path}/changes`, attributes: runAttributes(rested, overrides.data) }
  }, [subject, rested, overrides, problems, original])
  return { form, request, problems, change: more => setForm(now => ({ ...now, ...more })) }
}

function originalOf(subject: RunSubject): { form: RunForm; overrides: Data } {
  if (!('retryOf' in subject)) return { form: { ...emptyForm, action: subject.action }, overrides: {} }
  const { attributes } = subject.retryOf
  const overrides = (attributes.property_overrides ?? {}) as Data
  return {
    overrides,
    form: {
      ...emptyForm,
      action: attributes.action,
      skipSteps: ((attributes.skip_steps ?? []) as readonly string[]).join('\n'),
      // JSON is YAML as well.
      overrides: Object.keys(overrides).length === 0 ? '' : JSON.stringify(overrides, undefined, 2),
      metadata: metadataText(attributes.metadata),
    },
  }
}

/** The value once it has not changed for a while. */
function useRested<Value>(value: Value): Value {
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

function problemsOf(form: RunForm, overrides: ReadDocument | undefined): Record<string, string> {
  const { wrong } = readMetadata(form.metadata)
  const [problem] = overrides && 'problems' in overrides ? overrides.problems : []
  return {
    ...(problem && { property_overrides: texts.overridesAt(problem.line, problem.message) }),
    ...(wrong[0] !== undefined && { metadata: texts.metadataFault(wrong[0]) }),
  }
}
