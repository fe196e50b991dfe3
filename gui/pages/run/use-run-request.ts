import { useMemo, useState } from 'react'
import type { Data } from '../configuration/data.ts'
import type { Original } from './run-fields.tsx'
import { emptyForm, type RunForm, retryAttributes, runAttributes } from './run-form.ts'
import type { RunSubject } from './run-subject.ts'
import { originalOf, useInputs } from './use-inputs.ts'
import type { RunRequest } from './use-plan.ts'

interface RunRequestState {
  readonly form: RunForm
  readonly change: (change: Partial<RunForm>) => void
  /** Request for what the form says; undefined while it is incomplete or wrong, and until typing rests. */
  readonly request: RunRequest | undefined
  /** Whether the request has what was typed last. */
  readonly isRested: boolean
  /** What is wrong with a field before the service is asked. */
  readonly problems: Readonly<Record<string, string>>
  /** Of a retry: the inputs that it began with. */
  readonly original: Original | undefined
  /** Property overrides as read; undefined while they are wrong. */
  readonly overrides: Data | undefined
}

/** Form of the run dialog, and the request that follows from it. */
export function useRunRequest(subject: RunSubject): RunRequestState {
  const [first] = useState(() => firstOf(subject))
  const [form, setForm] = useState(first.form)
  const { rested, isRested, overrides, problems } = useInputs(form)
  const request = useMemo((): RunRequest | undefined => {
    if (!overrides || Object.keys(problems).length > 0) return undefined
    if ('retryOf' in subject)
      return {
        path: '/api/changes',
        attributes: retryAttributes(rested, overrides, first),
        retryOf: subject.retryOf.id,
      }
    if (rested.action.trim() === '') return undefined
    return { path: `/api${subject.path}/changes`, attributes: runAttributes(rested, overrides) }
  }, [subject, rested, overrides, problems, first])
  return {
    form,
    request,
    isRested,
    problems,
    overrides,
    original: 'retryOf' in subject ? first : undefined,
    change: more => setForm(now => ({ ...now, ...more })),
  }
}

function firstOf(subject: RunSubject): { form: RunForm; overrides: Data } {
  if (!('retryOf' in subject)) return { form: { ...emptyForm, action: subject.action }, overrides: {} }
  const { attributes } = subject.retryOf
  const { form, overrides } = originalOf(attributes)
  return { overrides, form: { ...emptyForm, ...form, action: attributes.action } }
}
