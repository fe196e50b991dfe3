import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Records } from '#client/generated/api.ts'
import { sluice, write } from './client.ts'
import { type Outcome, overSeen } from './over-seen.ts'
import { isStatus } from './query-client.ts'
import type { Resource } from './records.ts'
import { useVersioned, type Versioned } from './versioned.ts'

interface EditOptions<Attributes, Values> {
  /** Path of the record in the API; undefined for a new one. */
  readonly path: string | undefined
  /** Path of the list that a new one is added to. */
  readonly createAt?: string
  /** Values of the form until the record is read. */
  readonly initial: Values
  readonly valuesOf: (attributes: Attributes) => Values
  readonly attributesOf: (values: Values) => object
  /** Called with the saved record. */
  readonly onSaved: (saved: Resource) => unknown
}

/** Form that changes single values of a record. */
export interface Edit<Values> {
  /** Values as they were typed, else as the record has them now. */
  readonly values: Values
  readonly set: (values: Partial<Values>) => void
  readonly save: () => void
  readonly isSaving: boolean
  /** Why the last save failed; null if it met a conflict. */
  readonly error: Error | null
  /**
   * Values that somebody else has saved since the form was opened, of the fields that were typed in as well; undefined
   * unless a save found that the record has changed.
   */
  readonly conflict: Partial<Values> | undefined
  /** Gives up what was typed. */
  readonly takeTheirs: () => void
}

/** State of the record from which a form begins. */
interface Base<Values> {
  readonly etag: string
  readonly values: Values
}

/**
 * Reads the record with its ETag and saves it with that. If somebody else has saved meanwhile what the form shows, nothing
 * is written: fields that were not typed in take the new values, and of the others both are shown before the next save.
 */
export function useEdit<Type extends keyof Records, Values extends { readonly [Name in keyof Values]: string }>({
  path,
  createAt = '',
  initial,
  valuesOf,
  attributesOf,
  onSaved,
}: EditOptions<Records[Type], Values>): Edit<Values> {
  const read = useVersioned<Type>(path)
  const [base, setBase] = useState<Base<Values>>()
  const [typed, setTyped] = useState<Partial<Values>>({})
  const [conflict, setConflict] = useState<Partial<Values>>()
  const baseOf = ({ etag, record }: Versioned<Records[Type]>) => ({ etag, values: valuesOf(record.attributes) })
  if (!base && read.data && !read.isFetching) setBase(baseOf(read.data))
  const values = { ...initial, ...base?.values, ...typed }
  const readAgain = async (): Promise<Base<Values>> => {
    const { data, error } = await read.refetch()
    if (!data) throw error ?? new Error(`${path} could not be read`)
    const current = baseOf(data)
    setBase(current)
    return current
  }
  const send = async (path: string, over: Base<Values>): Promise<Resource> => {
    const attributes = attributesOf({ ...initial, ...over.values, ...typed })
    return (await write<Record<string, unknown>>('PATCH', path, { attributes }, over)).data
  }
  const save = useMutation<Outcome<Base<Values>, Resource>, Error, void>({
    mutationFn: async () => {
      if (path === undefined) return { answer: await sluice().create(createAt, attributesOf(values)) }
      return overSeen({
        // A fast typist saves before the record is read.
        seen: base ?? (await readAgain()),
        read: readAgain,
        isSame: (now, before) => JSON.stringify(now.values) === JSON.stringify(before.values),
        send: over => send(path, over),
      })
    },
    onSuccess: async ({ now, answer }) => {
      setConflict(now && differing(now.values, typed))
      if (now) return
      // A form that stays open goes on from what it saved.
      if (path !== undefined) await readAgain()
      setTyped({})
      await onSaved(answer)
    },
    onError: async error => {
      // The last attempt failed as well: what is there now has not been read yet.
      if (isStatus(error, 412)) setConflict(differing((await readAgain()).values, typed))
    },
  })
  return {
    values,
    set: changed => setTyped({ ...typed, ...changed }),
    save: () => save.mutate(),
    isSaving: save.isPending,
    // What the conflict shows is said better there.
    error: conflict && isStatus(save.error, 412) ? null : save.error,
    conflict,
    takeTheirs: () => {
      setTyped({})
      setConflict(undefined)
      save.reset()
    },
  }
}

/** Values of the fields that were typed in, where theirs are others. */
function differing<Values extends object>(theirs: Values, typed: Partial<Values>) {
  return Object.fromEntries(
    Object.entries(theirs).filter(([name, value]) => name in typed && typed[name as keyof Values] !== value),
  ) as Partial<Values>
}
