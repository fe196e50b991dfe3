import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Records } from '#client/generated/api.ts'
import { recordKey } from './keys.ts'
import { overSeen } from './over-seen.ts'
import { readVersioned, useVersioned, type Versioned } from './versioned.ts'

/** Record that a dialog shows before it is changed. */
export interface Seen<Attributes> {
  /** The record as it is shown; undefined until it is read. */
  readonly seen: Versioned<Attributes> | undefined
  readonly read: UseQueryResult<Versioned<Attributes>>
  /** Whether somebody else has changed what was shown: nothing is written, and the record is shown as it is now. */
  readonly hasChanged: boolean
  /**
   * Writes over the record as it is shown, with `send`; resolves to whether that was done.
   *
   * @throws Refused and Unreachable, apart from a record that has changed
   */
  readonly save: (send: (over: Versioned<Attributes>) => Promise<unknown>) => Promise<boolean>
}

/**
 * Reads a record with its ETag for a dialog, and writes only over what the dialog shows. A record that has changed in
 * other things is written all the same.
 *
 * @param isSame whether both states of the record look alike in the dialog
 */
export function useSeen<Type extends keyof Records>(
  path: string,
  isSame: (now: Records[Type], before: Records[Type]) => boolean,
): Seen<Records[Type]> {
  const read = useVersioned<Type>(path)
  const cache = useQueryClient()
  const [seen, setSeen] = useState<Versioned<Records[Type]>>()
  const [hasChanged, setHasChanged] = useState(false)
  if (!seen && read.data && !read.isFetching) setSeen(read.data)

  const save: Seen<Records[Type]>['save'] = async send => {
    const readAgain = () => readVersioned<Records[Type]>(path)
    const { now } = await overSeen({
      seen: seen ?? (await readAgain()),
      read: readAgain,
      isSame: ({ record: now }, { record: before }) => isSame(now.attributes, before.attributes),
      send,
    })
    if (!now) return true
    setSeen(now)
    setHasChanged(true)
    void cache.invalidateQueries({ queryKey: recordKey(path) })
    return false
  }
  return { seen, read, hasChanged, save }
}
